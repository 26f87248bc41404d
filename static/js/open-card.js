// Opens cards in a dialog over their board. Each open card has its own address.
import { hasUnsavedText } from "./busy.js";
import { refusalIn } from "./refusals.js";
import { showToast } from "./toasts.js";

export default function openCard(board) {
  const dialog = document.getElementById("card-dialog")
  const place = document.getElementById("card-place")
  const toasts = document.querySelector(".toasts")
  const address = `/board/${board.dataset.board}`
  const name = document.title.split(" · ").slice(-2).join(" · ")
  let closing = "by hand"

  board.addEventListener("click", (event) => {
    const link = event.target.closest("a.title")
    if (link && !event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      open(new URL(link.href).searchParams.get("card"))
    } else if (event.target.closest("[data-reload-card]")) {
      event.preventDefault()
      load(dialog.querySelector("#open-card").dataset.card)
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
  dialog.addEventListener("htmx:afterRequest", ({ detail: { failed, xhr } }) => {
    if (failed) showToast(refusalIn(xhr)?.words ?? board.dataset.failed)
  })
  addEventListener("popstate", follow)
  addEventListener("beforeunload", (event) => { if (hasUnsavedText(board)) event.preventDefault() })
  if (dialog.open) {
    dialog.open = false // the page came with it open, but not modal; close() would call the listeners
    show()
  }

  async function open(card) {
    if (await load(card)) history.pushState({ card }, "", `${address}?card=${card}`)
  }

  // Returns whether the card is shown.
  async function load(card) {
    await window.htmx.ajax("GET", `/card/${card}`, { source: dialog, target: place, swap: "innerHTML" }).catch(() => {})
    const isThere = dialog.querySelector("#open-card")?.dataset.card === card
    if (isThere) show()
    return isThere
  }

  function show() {
    if (!dialog.open) dialog.showModal()
    dialog.append(toasts) // elements outside a modal dialog are inert
    document.title = `${dialog.querySelector("#open-card").dataset.title} · ${name}`
    dialog.querySelector("#card-title").focus()
    dialog.scrollTop = 0
  }

  function leave() {
    if (!hasUnsavedText(dialog) || confirm(board.dataset.unsaved)) dialog.close()
  }

  function closed() {
    const card = dialog.querySelector("#open-card")?.dataset.card
    place.replaceChildren()
    document.body.append(toasts)
    document.title = name
    document.getElementById(`card-${card}`)?.querySelector("a.title").focus({ preventScroll: true })
    if (closing === "by history") closing = "by hand"
    else if (history.state?.card) history.back()
    else history.replaceState(null, "", address)
  }

  function follow() {
    const card = new URLSearchParams(location.search).get("card")
    const shown = dialog.querySelector("#open-card")?.dataset.card
    if (card && card !== shown) load(card)
    else if (!card && dialog.open) {
      closing = "by history"
      dialog.close()
    }
  }
}
