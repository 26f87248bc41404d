// Opens cards in a dialog over their board. Each open card has its own address.
import { agreed } from "../kit/ask.js";
import { hasUnsavedText } from "../kit/busy.js";
import { happened } from "../board/card-meant.js";
import { addressOf } from "./card-address.js";
import { fetchFragments } from "../kit/fetch-fragments.js";
import { passOver } from "../kit/open-form.js";
import { place as placeFragment } from "../board/place.js";
import { tellPlaced } from "../kit/placed.js";
import { currentTile } from "../board/roving.js";
import { formatTimes } from "../kit/times.js";
import { showError } from "../kit/toasts.js";
import { isBeside } from "../kit/beside.js";
import { laterStyles } from "../kit/later-styles.js";

const FROM_ROWS = /^\/(my(\/table)?|search|notifications|board\/[^/]+\/table)?$/
const DRAFTS = "form[data-draft] *" // these texts are offered again
const NOT_LOST = ".filter-form *, [data-kept] *" // a question, and what comes back by itself

export default function openCard(board) {
  const dialog = document.getElementById("card-dialog")
  const place = document.getElementById("card-place")
  const skeleton = document.getElementById("card-skeleton")
  const bar = board.querySelector(".live-bar")
  const toasts = document.querySelector(".toasts")
  const name = document.title.split(" · ").slice(-2).join(" · ")
  let loading // aborts what is being read
  let wentBack // until the browser has left the address of the card that was closed
  let shown = read()?.dataset.card // the card of the dialog, or of its skeleton; none once `closed` has cleared up
  const ofRow = cameFromRows() ? shown : undefined // the card of a row that was followed on another page

  board.addEventListener("click", (event) => {
    const link = event.target.closest("a.title")
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      open(new URL(link.href).searchParams.get("card"))
      if (event.detail) passOver(dialog, event, focusTitle)
    } else if (event.target.closest("[data-reload-card]")) {
      event.preventDefault()
      load(shown)
    } else if (event.target.closest("a[data-more]")) {
      event.preventDefault()
      more(event.target.closest("a[data-more]").dataset.more)
    } else if (isBeside(dialog, event) || event.target.closest("[data-close-card]")) {
      event.preventDefault()
      leave()
    }
  })
  board.addEventListener("board:open", async ({ detail: { card, then } }) => {
    if (hasUnsavedText(dialog) && !await discarded()) return
    if (await open(card)) then?.()
  })
  dialog.addEventListener("cancel", (event) => {
    event.preventDefault()
    leave()
  })
  dialog.addEventListener("close", () => closed())
  addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || event.isComposing || !isOnTop() || !hasUnsavedText(dialog)) return
    event.preventDefault() // of two in a row, browsers let nobody prevent the second `cancel`
    leave()
  })
  addEventListener("popstate", follow)
  addEventListener("beforeunload", (event) => { if (hasUnsavedText(board, NOT_LOST)) event.preventDefault() })
  if (dialog.open) {
    const focused = dialog.contains(document.activeElement) ? document.activeElement : null
    dialog.open = false // the page came with it open, but not modal; close() would call the listeners
    show(read().dataset.title, focused)
  }

  function read() {
    return dialog.querySelector("#open-card")
  }

  async function open(card) {
    await wentBack // which would close this card, too
    const isLoaded = await load(card)
    if (isLoaded) history.pushState({ card }, "", addressOf(board, card))
    return isLoaded
  }

  // Returns whether the card is shown.
  async function load(card) {
    loading?.abort()
    const { signal } = loading = new AbortController()
    if (read()?.dataset.card !== card) showSkeleton(card)
    try {
      const [elements] = await Promise.all([fetchFragments(`${board.dataset.base}/card/${card}`, signal), laterStyles()])
      signal.throwIfAborted()
      place.replaceChildren(...elements)
    } catch (error) {
      if (!signal.aborted) fail(error)
      return false
    }
    formatTimes(place)
    tellPlaced(place)
    show(read().dataset.title)
    catchUp(card)
    return true
  }

  // Others may have changed the card while its answer was on its way.
  function catchUp(card) {
    const { version } = read().dataset, tile = document.getElementById(`card-${card}`)
    if (Number(tile?.dataset.version) > Number(version)) more(`${board.dataset.base}/card/${card}?since=${version}`)
  }

  // Adds earlier comments, further items, or what has changed, to the open card.
  async function more(address) {
    const { signal } = loading = new AbortController()
    const elements = await fetchFragments(address, signal).catch((error) => { if (!signal.aborted) fail(error) })
    for (const element of elements ?? []) placeFragment(element)
  }

  // Shows what the tile knows of the card.
  function showSkeleton(card) {
    const tile = document.getElementById(`card-${card}`)
    const title = tile?.querySelector("a.title").firstChild.textContent.trim() ?? ""
    place.replaceChildren(skeleton.content.cloneNode(true))
    dialog.querySelector("#card-title").textContent = title
    dialog.querySelector(".done-check").classList.toggle("is-done", tile?.matches(".done") ?? false)
    for (const value of dialog.querySelectorAll("[data-from-tile]")) {
      value.append(...[...tile?.querySelectorAll(value.dataset.fromTile) ?? []].map((part) => part.cloneNode(true)))
    }
    shown = card
    show(title)
  }

  // Focuses the title, or what had the focus before this script came: a menu that was opened meanwhile stays open.
  function show(title, focused = null) {
    focused?.toggleAttribute("autofocus", true)
    if (!dialog.open) dialog.showModal()
    happened("open", document.getElementById(`card-${shown}`))
    focused?.removeAttribute("autofocus")
    dialog.prepend(bar) // elements outside a modal dialog are behind it, and inert
    dialog.append(toasts)
    document.title = `${title} · ${name}`
    if (!focused) focusTitle()
    dialog.scrollTop = 0
    dialog.querySelector(".comment:target")?.scrollIntoView({ block: "center" }) // that a notification is about
  }

  function focusTitle() {
    dialog.querySelector("#card-title").focus({ preventScroll: true })
  }

  function fail(error) {
    if (!read()) close()
    showError(error.words ?? board.dataset.failed)
  }

  async function leave() {
    if (hasUnsavedText(dialog) && !await discarded()) return
    if (ofRow && shown === ofRow && !history.state) history.back()
    else close()
  }

  // Asks before what is not saved is lost. Returns whether it is.
  async function discarded() {
    if (!await agreed("discard") || !dialog.open) return false
    for (const form of dialog.querySelectorAll("form[data-draft]")) form.dispatchEvent(new Event("form:discarded"))
    place.replaceChildren()
    return true
  }

  // Clears up at once: the event comes in a task of its own, before which another card could be opened.
  function close({ byHistory = false } = {}) {
    loading?.abort()
    dialog.close()
    closed({ byHistory })
  }

  function closed({ byHistory = false } = {}) {
    if (dialog.open || !shown) return
    place.replaceChildren()
    board.querySelector(".boardbar").after(bar)
    document.body.append(toasts)
    document.title = name
    const left = titleOf(shown) ?? currentTile()?.querySelector(".title") ?? board
    happened("close", left.closest(".card"))
    left.focus({ preventScroll: true })
    shown = undefined
    if (byHistory) return
    if (history.state?.card) goBack()
    else history.replaceState(null, "", addressOf(board))
  }

  function isOnTop() {
    return dialog.open && !document.querySelector("dialog:modal:not(#card-dialog), [popover]:popover-open")
  }

  function goBack() {
    wentBack = new Promise((done) => addEventListener("popstate", done, { once: true }))
    history.back()
  }

  function titleOf(card) {
    return document.getElementById(`card-${card}`)?.querySelector("a.title")
  }

  function follow() {
    const card = new URLSearchParams(location.search).get("card")
    if (dialog.open && card !== shown && hasUnsavedText(dialog, DRAFTS)) goOnIfDiscarded()
    else if (card && card !== read()?.dataset.card) load(card)
    else if (!card && dialog.open) close({ byHistory: true })
  }

  // The browser has left the address of the card already: takes it there again, and on once its reader has agreed.
  async function goOnIfDiscarded() {
    history.pushState({ card: shown }, "", addressOf(board, shown))
    if (await discarded()) history.back()
  }
}

// Whether the page before, in this tab, has rows of cards: there one goes on.
function cameFromRows() {
  const { origin, pathname } = URL.canParse(document.referrer) ? new URL(document.referrer) : {}
  return history.length > 1 && origin === location.origin && FROM_ROWS.test(pathname)
}
