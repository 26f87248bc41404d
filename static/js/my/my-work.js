// Does what keys and the menu of a row ask for, with the dialogs of boards. Each change is told by `cards:changed`, also those
// of ticks (tick-cards.js); Undo takes back the last ones.
import { askDue } from "../board/ask-due.js";
import { place } from "../board/place.js";
import { changeMemory } from "../kit/change-memory.js";
import { post } from "../kit/post.js";
import { showRefusal, wordsOf } from "../kit/refusals.js";
import { selectionBrought, takeSelectionAlong } from "../kit/selection-along.js";
import { token } from "../kit/send-forms.js";
import { askChoice } from "./ask-choice.js";
import { sendMine } from "./assign-me.js";
import { myAdd } from "./my-add.js";
import { linkOf, rowOf } from "./rows.js";

const NO_CARD = { "X-Open-Card": "" } // is open on this page

export default function myWork(main) {
  let sent = Promise.resolve() // all that was sent so far is answered
  const titled = new Map() // versions by card, at which an answer told the title
  const memory = changeMemory({ ready: () => sent, send: (change) => send(undoOf(change), { change }) })
  const form = main.querySelector(".my-add")
  const on = (name, act) => main.addEventListener(`board:${name}`, ({ detail: { card } }) => act(rowOf(card)))

  on("done", (row) => row.querySelector(".done-check").click())
  on("archive", (row) => change(row, { archived: 1 }))
  on("due", (row) => askDue({ ...row.dataset, words: linkOf(row).textContent, send: (fields) => change(row, fields) }))
  on("assign-me", (row) => sendMine([row], (fields) => change(row, fields)))
  for (const kind of ["labels", "people"]) {
    on(kind, (row) => askChoice(kind, row, { ready: () => sent, send: (fields) => change(row, fields) }, main.dataset.failed))
  }
  // `board` is that of all cards; undefined if they are of several.
  main.addEventListener("board:change-cards", ({ detail: { board, cards, fields, answered } }) => {
    answered(send(board ? `/board/${board}/cards` : "/my/cards", { card: cards, ...fields }))
  })
  main.addEventListener("board:rename", async ({ detail: { card, title, version, answered } }) => {
    // After an earlier one of the same card, from which its row may not have come yet.
    const values = sent.then(() => ({ title, version: Math.max(version, titled.get(card) ?? 0) }))
    answered(await send(`/card/${card}/title`, values, { learn: (latest) => titled.set(card, latest) }))
  })
  on("new-card", () => form?.elements.title.focus())
  on("undo", () => memory.step("undo"))
  main.addEventListener("cards:changed", ({ detail: { changes, undone } }) => {
    if (undone) memory.moved(undone, changes)
    else if (changes) memory.remember(changes)
  })
  main.addEventListener("cards:sent", ({ detail }) => wait(detail))
  main.addEventListener("board:move", addWhere, { capture: true })
  if (form) myAdd(form, main.dataset, send)
  if (main.matches(".my-work")) passSelectionOn(main)

  const change = (row, fields) => send(`/board/${row.dataset.board}/cards`, { card: row.dataset.card, ...fields })

  // For the dialog of boards (move-to.js), which knows the cards of one board alone.
  function addWhere({ detail }) {
    const row = rowOf(detail.card), { board, list } = row.dataset
    Object.assign(detail, { board, list, send: (fields) => change(row, fields) })
  }

  // One after the other, so that undo takes back the last one first.
  function send(...change) {
    return wait(sent.then(() => deliver(...change)))
  }

  function wait(answered) {
    sent = Promise.allSettled([sent, answered])
    return answered
  }

  // `asked` may be a promise of the values; `learn` gets the version of the title that the answer tells. Returns whether the
  // server accepted the values.
  async function deliver(action, asked, { field, learn } = {}) {
    const values = await asked
    const { isAccepted, status, changes, elements = [] } = await post(action, values, { "X-CSRFToken": token(), ...NO_CARD })
    if (!isAccepted) {
      if (status && status < 500) memory.moved(values.change)
      const conflict = conflictIn(elements)
      if (conflict) learn(conflict.version)
      showRefusal(field, (conflict ?? wordsOf(elements))?.words ?? main.dataset.failed)
      return false
    }
    if (changes) learn?.(Number(changes.split(":")[1]))
    if (values.card && !("done" in values)) for (const card of [values.card].flat()) delete rowOf(card)?.dataset.ticked
    for (const toast of elements.filter((one) => one.matches(".toast"))) place(toast)
    main.dispatchEvent(new CustomEvent("cards:changed", { detail: { changes, undone: values.change } }))
    return true
  }
}

// The list has no selection: that of the table waits for the way back.
function passSelectionOn(main) {
  const cards = selectionBrought(main)
  takeSelectionAlong(main, () => cards)
}

// Of a title that somebody else changed meanwhile.
function conflictIn([both]) {
  if (!both?.matches(".both-versions")) return undefined
  return { words: both.querySelector(".notice").textContent.trim(), version: Number(both.querySelector("[name=version]").value) }
}

const undoOf = (change) => `/board/${change.split(":")[0]}/undo`
