// The Share dialog: people, invitations and links of the board. It is read whenever it opens, and its lists again after each
// change. They follow what others do.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { areAboutPeople, isInUse } from "../live/people-lists.js";
import { tellPlaced } from "../kit/placed.js";
import { post } from "../kit/post.js";
import { showRefusal, wordsOf } from "../kit/refusals.js";
import { headersOf } from "../kit/send-forms.js";
import { showError, showToast } from "../kit/toasts.js";
import { place } from "./place.js";
import { isBeside } from "../kit/beside.js";

const GONE = 404 // somebody answered or withdrew it meanwhile

export default function share(board) {
  const dialog = document.getElementById("share-dialog")
  const toasts = document.querySelector(".toasts")
  let address
  let reading
  let loaded // a promise that ends with the newest reading of the whole dialog
  let late // a new link, shown only once, that came while the dialog was closed
  let sending = Promise.resolve() // what is sent, one after another
  let isWaiting = false // whether the lists are to be read when the focus has left them

  board.addEventListener("click", (event) => {
    const link = event.target.closest("[data-share]")
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    address = link.href
    open()
  })
  dialog.addEventListener("click", (event) => { if (isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close() })
  dialog.addEventListener("close", () => {
    reading?.abort()
    dialog.replaceChildren()
    document.body.append(toasts)
  })
  dialog.addEventListener("submit", (event) => {
    event.preventDefault()
    event.stopPropagation() // send-forms.js sends those of the board
    send(event.target, event.submitter)
  })
  board.addEventListener("board:news", ({ detail }) => { if (!detail || areAboutPeople(detail)) follow() })
  dialog.addEventListener("focusout", () => setTimeout(() => { if (isWaiting) follow() }))

  async function open() {
    loaded = load()
    if (!await loaded) return
    dialog.showModal()
    dialog.append(toasts) // elements outside a modal dialog are behind it, and inert
    const first = dialog.querySelector("[name=email]") ?? dialog.querySelector("[data-close]")
    first.focus()
  }

  const load = () => read((content) => {
    if (late) content.querySelector("[data-news]").append(late)
    late = undefined
    dialog.querySelector("#share")?.remove()
    dialog.prepend(content)
    tellPlaced(content)
  })

  async function follow() {
    await loaded
    isWaiting = dialog.open && isInUse(lists())
    if (dialog.open && !isWaiting) await renewLists()
  }

  const lists = (content = dialog) => content.querySelector("[data-lists]")
  const renewLists = () => read((content) => {
    const fresh = lists(content)
    lists().replaceWith(fresh)
    tellPlaced(fresh)
  })

  // Reads what the dialog shows, and gives it to `show`. Returns whether it came.
  async function read(show) {
    reading?.abort()
    const { signal } = reading = new AbortController()
    try {
      const [content] = await fetchFragments(address, signal)
      show(content)
      return true
    } catch (error) {
      if (!signal.aborted) showToast(error.words ?? board.dataset.failed)
      return false
    }
  }

  async function send(form, submitter) {
    const values = valuesOf(form, submitter)
    if (form.dataset.sent === textOf(values)) return undefined // its button was pressed twice
    form.dataset.sent = textOf(values)
    const answer = await (sending = sending.then(() => post(form.getAttribute("action"), values, headersOf(board))))
    const isAsSent = textOf(valuesOf(form, submitter)) === textOf(values)
    if (form.dataset.sent === textOf(values)) delete form.dataset.sent
    if (answer.redirect) return location.assign(answer.redirect)
    if (answer.status === GONE && await renewAfter(form)) return showError(dialog.dataset.gone)
    if (!answer.isAccepted) return refuse(form, answer.elements)
    for (const element of answer.elements ?? []) show(element)
    if (form.matches("[data-invite]") && isAsSent) empty(form)
    return renewAfter(form)
  }

  function refuse(form, elements = []) {
    const refusal = wordsOf(elements)
    if (!form.matches("[data-invite]")) form.reset() // to the role that the member still has
    showRefusal(form.querySelector(`[name="${refusal?.name}"]:not([type=hidden])`), refusal?.words ?? board.dataset.failed)
  }

  function show(element) {
    const news = dialog.querySelector("[data-news]")
    if (element.matches(".toast")) place(element)
    else if (!news) late = element
    else {
      news.replaceChildren(element)
      tellPlaced(element)
    }
  }

  // Renews the lists of an open dialog. Whoever has gone on elsewhere keeps the focus. Returns whether they came.
  async function renewAfter(form) {
    await loaded
    const focused = document.activeElement
    if (!dialog.open || !await renewLists()) return false
    if (form.contains(focused) || !focused.isConnected) focusAgain(form, focused.getAttribute("aria-label"))
    return true
  }

  function focusAgain(form, label) {
    const same = label && [...dialog.querySelectorAll("[aria-label]")].find((one) => one.getAttribute("aria-label") === label)
    const field = form.matches("[data-invite]") ? dialog.querySelector("[name=email]") : same
    const next = field ?? dialog.querySelector("[data-news] button, [data-close]")
    next.focus()
  }
}

const valuesOf = (form, submitter) => Object.fromEntries(new FormData(form, submitter))
const textOf = (values) => JSON.stringify(values)

// Its other scripts learn of it as if somebody had deleted the text.
function empty(form) {
  form.reset()
  form.querySelector("[name=email]").dispatchEvent(new Event("input"))
}
