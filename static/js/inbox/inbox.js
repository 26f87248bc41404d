// The inbox: a row shows its card beside the list, at an address of its own. Where there is no room beside it, a row is a link.
import { announce } from "../kit/announce.js";
import { hasUnsavedText, merge } from "../kit/busy.js";
import { fetchFragments } from "../kit/fetch-fragments.js";
import { leave } from "../kit/leave.js";
import { tellPlaced } from "../kit/placed.js";
import { post } from "../kit/post.js";
import { showRefusal, wordsOf } from "../kit/refusals.js";
import { token } from "../kit/send-forms.js";
import { formatTimes } from "../kit/times.js";
import { showError } from "../kit/toasts.js";
import { place } from "../board/place.js";
import { addressWith, linkOf, pane, rowOf, WIDE } from "./rows.js";

export default function inbox(main) {
  let loading // aborts what is being read, and names its card

  main.addEventListener("click", (event) => {
    const link = event.target.closest(".told[data-card]")
    if (!link || !WIDE.matches || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    choose(link)
  })
  main.addEventListener("submit", (event) => {
    const { target: form, submitter } = event
    if (!form.closest(".notification, #inbox-pane")) return
    event.preventDefault()
    send(form, submitter)
  })
  main.addEventListener("keydown", ({ key, ctrlKey, metaKey, target }) => {
    if (key === "Enter" && (ctrlKey || metaKey) && target.matches("#new-comment")) target.form.requestSubmit()
  })
  main.addEventListener("inbox:news", renew)
  main.addEventListener("inbox:lost", () => { if (!isLeaving()) load(pane().dataset.card, { again: true }) })
  addEventListener("popstate", () => show(new URL(location).searchParams.get("card")))

  async function choose(link) {
    const { card } = link.dataset
    if (pane().dataset.card === card) return isLeaving() && stop()
    if (await load(card, { instead: link.href })) history.pushState(null, "", addressWith(card))
  }

  function show(card) {
    if (card) return load(card, {})
    stop()
    return showNone()
  }

  function showNone() {
    put(document.getElementById("no-card").content.firstElementChild.cloneNode(true))
  }

  // What is being written stays, to be copied.
  function forget() {
    if (hasUnsavedText(pane())) return
    const hadFocus = pane().contains(document.activeElement)
    history.replaceState(null, "", addressWith())
    showNone()
    if (hadFocus) main.focus()
  }

  function stop() {
    loading?.abort()
    loading = undefined
  }

  const isLeaving = () => Boolean(loading) && loading.card !== pane().dataset.card

  // Loading a card marks it as read. It waits until somebody can see the card, and spares what the reader marked as unread.
  function renew() {
    if (document.hidden) return document.addEventListener("visibilitychange", renew, { once: true })
    const { card, unread } = pane().dataset
    return card && unread === undefined && !isLeaving() && load(card, { again: true })
  }

  // Returns whether the card is shown. `again` keeps what is being written, `instead` is followed where there is no such card.
  async function load(card, { again = false, instead }) {
    stop()
    const mine = loading = Object.assign(new AbortController(), { card }), { signal } = mine
    try {
      const [fresh] = await fetchFragments(addressWith(card), signal)
      if (signal.aborted) return false
      formatTimes(fresh)
      if (again) {
        merge(pane(), fresh)
        tellPlaced(pane())
      } else put(fresh)
    } catch (error) {
      if (error.status === 404 && instead) location.assign(instead)
      else if (error.status === 404 && again) forget()
      else if (!signal.aborted) showError(error.words ?? main.dataset.failed)
      return false
    } finally {
      if (mine === loading) loading = undefined
    }
    return true
  }

  function put(fresh) {
    pane().replaceWith(fresh)
    tellPlaced(fresh)
    const { card } = fresh.dataset
    for (const link of main.querySelectorAll(".told[aria-current]")) link.removeAttribute("aria-current")
    const row = card && rowOf(card)
    if (row) {
      linkOf(row).setAttribute("aria-current", "true")
      row.classList.remove("unread")
    }
    if (card) announce(fresh.querySelector("h2").textContent)
    main.dispatchEvent(new CustomEvent("inbox:changed"))
  }

  async function send(form, submitter) {
    if ("sent" in form.dataset) return
    const field = form.querySelector("textarea")
    const values = Object.fromEntries(new FormData(form, submitter))
    const row = form.closest(".notification")
    const id = row ? linkOf(row).id : idOf(pane()) // the answer may come when both have been replaced
    const wasUnread = pane().hasAttribute("data-unread")
    form.dataset.sent = ""
    for (const old of form.querySelectorAll(".refusal")) old.remove()
    if (field) field.readOnly = true
    else if (values.do !== "read") setUnread(id, true) // before news of it come, which would be read at once
    const { isAccepted, elements = [] } = await post(form.action, values, { "X-CSRFToken": token(), "X-Open-Card": "" })
    delete form.dataset.sent
    if (field) field.readOnly = false
    if (!isAccepted) {
      if (!field) setUnread(id, wasUnread)
      return showRefusal(field?.isConnected ? field : undefined, wordsOf(elements)?.words ?? main.dataset.failed)
    }
    for (const toast of elements.filter((one) => one.matches(".toast"))) place(toast)
    return field ? said(form, field, id) : marked(form, values.do, id)
  }

  async function said(form, field, id) {
    form.dispatchEvent(new Event("form:saved"))
    field.value = ""
    const isHere = () => id === idOf(pane()) && !isLeaving()
    if (isHere()) await load(pane().dataset.card, { again: true })
    if (isHere()) document.getElementById("new-comment")?.focus()
  }

  // What is read keeps its place until the page is loaded again; what is put off, or no longer is, goes.
  function marked(form, done, id) {
    const row = document.getElementById(id)?.closest(".notification")
    const isForLater = done === "tomorrow" || done === "next-week"
    const pile = new URL(location).searchParams.get("pile")
    closeMenu(form)
    setUnread(id, done !== "read")
    if (row && pile !== "all" && isForLater !== (pile === "later")) leave(row)
    else row?.classList.toggle("unread", done !== "read")
    main.dispatchEvent(new CustomEvent("inbox:changed"))
  }
}

// Returns the id of the link that stands in the list for the card of the pane.
const idOf = ({ dataset }) => `told-${dataset.card}`

function setUnread(id, isUnread) {
  if (id === idOf(pane())) pane().toggleAttribute("data-unread", isUnread)
}

function closeMenu(form) {
  const menu = form.closest("details[open]") ?? form.querySelector("details[open]")
  if (!menu) return
  const hadFocus = menu.contains(document.activeElement)
  menu.open = false
  if (hadFocus) menu.querySelector("summary").focus()
}
