// Opens cards in a dialog over their board. Each open card has its own address.
import { hasUnsavedText } from "./busy.js";
import { fetchFragments } from "./fetch-fragments.js";
import { place as placeFragment } from "./place.js";
import { formatTimes } from "./times.js";
import { showToast } from "./toasts.js";

export default function openCard(board) {
  const dialog = document.getElementById("card-dialog")
  const place = document.getElementById("card-place")
  const skeleton = document.getElementById("card-skeleton")
  const bar = board.querySelector(".live-bar")
  const toasts = document.querySelector(".toasts")
  const address = `/board/${board.dataset.board}`
  const name = document.title.split(" · ").slice(-2).join(" · ")
  let closing = "by hand"
  let loading // aborts what is being read
  let shown = read()?.dataset.card // the card of the dialog, or of its skeleton

  board.addEventListener("click", (event) => {
    const link = event.target.closest("a.title")
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      open(new URL(link.href).searchParams.get("card"))
    } else if (event.target.closest("[data-reload-card]")) {
      event.preventDefault()
      load(shown)
    } else if (event.target.closest("[data-more]")) {
      event.preventDefault()
      more(event.target.closest("[data-more]").dataset.more)
    } else if (event.target === dialog || event.target.closest("[data-close-card]")) {
      event.preventDefault()
      leave()
    }
  })
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener("close", closed)
  addEventListener("popstate", follow)
  addEventListener("beforeunload", (event) => { if (hasUnsavedText(board)) event.preventDefault() })
  if (dialog.open) {
    dialog.open = false // the page came with it open, but not modal; close() would call the listeners
    show(read().dataset.title)
  }

  function read() {
    return dialog.querySelector("#open-card")
  }

  async function open(card) {
    if (await load(card)) history.pushState({ card }, "", `${address}?card=${card}`)
  }

  // Returns whether the card is shown.
  async function load(card) {
    loading?.abort()
    const { signal } = loading = new AbortController()
    if (read()?.dataset.card !== card) showSkeleton(card)
    try {
      place.replaceChildren(...await fetchFragments(`/card/${card}`, signal))
    } catch (error) {
      if (!signal.aborted) fail(error)
      return false
    }
    formatTimes(place)
    window.htmx.trigger(place, "htmx:load", { elt: place }) // main.js starts its behaviours
    show(read().dataset.title)
    return true
  }

  // Adds earlier comments, or further items, to the open card.
  async function more(address) {
    const { signal } = loading = new AbortController()
    try {
      for (const element of await fetchFragments(address, signal)) placeFragment(element)
    } catch (error) {
      if (!signal.aborted) fail(error)
    }
  }

  function showSkeleton(card) {
    place.replaceChildren(skeleton.content.cloneNode(true))
    const title = titleOf(card)?.firstChild.textContent.trim() ?? ""
    dialog.querySelector("#card-title").textContent = title
    shown = card
    show(title)
  }

  function show(title) {
    if (!dialog.open) dialog.showModal()
    dialog.prepend(bar) // elements outside a modal dialog are behind it, and inert
    dialog.append(toasts)
    document.title = `${title} · ${name}`
    dialog.querySelector("#card-title").focus()
    dialog.scrollTop = 0
  }

  function fail(error) {
    if (!read()) dialog.close()
    showToast(error.words ?? board.dataset.failed)
  }

  function leave() {
    if (!hasUnsavedText(dialog) || confirm(board.dataset.unsaved)) dialog.close()
  }

  function closed() {
    if (dialog.open) return // again, meanwhile
    loading?.abort()
    place.replaceChildren()
    board.querySelector(".boardbar").after(bar)
    document.body.append(toasts)
    document.title = name
    const left = titleOf(shown) ?? board
    left.focus({ preventScroll: true })
    if (closing === "by history") closing = "by hand"
    else if (history.state?.card) history.back()
    else history.replaceState(null, "", address)
  }

  function titleOf(card) {
    return document.getElementById(`card-${card}`)?.querySelector("a.title")
  }

  function follow() {
    const card = new URLSearchParams(location.search).get("card")
    if (card && card !== read()?.dataset.card) load(card)
    else if (!card && dialog.open) {
      closing = "by history"
      dialog.close()
    }
  }
}
