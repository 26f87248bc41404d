// Does what keys and the menu of a row ask for, with the dialogs of boards. Each change is told by `cards:changed`, also those
// of ticks (tick-cards.js); the last ten can be taken back.
import { askDue } from "../board/ask-due.js";
import { place } from "../board/place.js";
import { post } from "../kit/post.js";
import { showRefusal, wordsOf } from "../kit/refusals.js";
import { token } from "../kit/send-forms.js";
import { askLabel } from "./ask-label.js";
import { linkOf, rowOf } from "./rows.js";

const MOST = 10
const NO_CARD = { "X-Open-Card": "" } // is open on this page

export default function myWork(main) {
  const done = [] // changes as the server named them, the newest last
  let sent = Promise.resolve() // all that was sent so far is answered
  const form = main.querySelector(".my-add")
  const on = (name, act) => main.addEventListener(`board:${name}`, ({ detail: { card } }) => act(rowOf(card)))

  on("done", (row) => row.querySelector(".done-check").click())
  on("archive", (row) => change(row, { archived: 1 }))
  on("due", (row) => askDue({ ...row.dataset, words: linkOf(row).textContent, send: (fields) => change(row, fields) }))
  on("labels", (row) => askLabel(row, (fields) => change(row, fields), main.dataset.failed))
  on("new-card", () => form?.elements.title.focus())
  on("undo", async () => {
    await sent // a row may be gone before its change is answered
    if (done.length) send(undoOf(done.at(-1)), { change: done.at(-1) })
  })
  main.addEventListener("cards:changed", ({ detail }) => remember(detail))
  main.addEventListener("board:move", addWhere, { capture: true })
  form?.addEventListener("submit", add)

  const change = (row, fields) => send(`/board/${row.dataset.board}/cards`, { card: row.dataset.card, ...fields })

  // For the dialog of boards (move-to.js), which knows the cards of one board alone.
  function addWhere({ detail }) {
    const row = rowOf(detail.card), { board, list } = row.dataset
    Object.assign(detail, { board, list, send: (fields) => change(row, fields) })
  }

  function send(...change) {
    const answered = deliver(...change)
    sent = Promise.allSettled([sent, answered])
    return answered
  }

  async function deliver(action, values, field) {
    const { isAccepted, changes, elements = [] } = await post(action, values, { "X-CSRFToken": token(), ...NO_CARD })
    if (!isAccepted) return showRefusal(field, wordsOf(elements)?.words ?? main.dataset.failed)
    for (const toast of elements.filter((one) => one.matches(".toast"))) place(toast)
    main.dispatchEvent(new CustomEvent("cards:changed", { detail: { changes, undone: values.change } }))
    return true
  }

  function remember({ changes, undone }) {
    if (undone) done.splice(done.lastIndexOf(undone), done.includes(undone) ? 1 : 0)
    else if (changes) done.push(changes)
    done.splice(0, done.length - MOST)
  }

  async function add(event) {
    event.preventDefault()
    const { title, board } = form.elements, text = title.value
    if (!text.trim()) return
    title.value = ""
    if (!await send(form.action, { title: text, board: board.value }, title)) title.value = title.value || text
  }
}

const undoOf = (change) => `/board/${change.split(":")[0]}/undo`
