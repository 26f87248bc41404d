// The Share dialog: people, invitations and links of the board. It is read whenever it opens, and again after each change. Its
// lists follow what others do.
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
    if (!await load()) return
    dialog.showModal()
    dialog.append(toasts) // elements outside a modal dialog are behind it, and inert
    const first = dialog.querySelector("[name=email]") ?? dialog.querySelector("[data-close]")
    first.focus()
  }

  const load = () => loaded = read((content) => {
    const news = dialog.querySelector("[data-news]")
    dialog.querySelector("#share")?.remove()
    dialog.prepend(content)
    content.querySelector("[data-news]").replaceWith(news ?? content.querySelector("[data-news]"))
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
    const values = Object.fromEntries(new FormData(form, submitter))
    const label = document.activeElement?.getAttribute("aria-label")
    const { redirect, isAccepted, status, elements } = await post(form.getAttribute("action"), values, headersOf(board))
    if (redirect) return location.assign(redirect)
    const refusal = isAccepted ? undefined : wordsOf(elements ?? [])
    if (status === GONE && await renewLists()) {
      showError(dialog.dataset.gone)
      return focusAgain(form, label)
    }
    if (!isAccepted) return showRefusal(form.querySelector(`[name="${refusal?.name}"]:not([type=hidden])`), refusal?.words ?? board.dataset.failed)
    for (const element of elements ?? []) show(element)
    if (await load()) focusAgain(form, label)
    return undefined
  }

  function show(element) {
    if (element.matches(".toast")) return place(element)
    dialog.querySelector("[data-news]").replaceChildren(element)
    return tellPlaced(element)
  }

  function focusAgain(form, label) {
    const same = label && [...dialog.querySelectorAll("[aria-label]")].find((one) => one.getAttribute("aria-label") === label)
    const field = form.matches("[data-invite]") ? dialog.querySelector("[name=email]") : same
    const next = field ?? dialog.querySelector("[data-news] button, [data-close]")
    next.focus()
  }
}
