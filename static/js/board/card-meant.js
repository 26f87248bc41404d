// Follows what happens on the board to the one tile that its keys mean (meant.js), and shows which it is by the class `meant`.
import { NOTHING, next } from "./meant.js";

const PART = ".list > ol > .card"
let state = NOTHING
let marked // the tile that has the class
let lists

// Returns the card that is open, or is meant, or the first selected one. There is none on pages without a board.
export function cardMeant() {
  const open = document.getElementById("open-card")
  return open ? open.dataset.card : idOf(tileMeant() ?? document.querySelector(".card.selected"))
}

export function tileMeant() {
  const tile = state.tile && document.getElementById(state.tile)
  return tile?.checkVisibility() ? tile : undefined
}

// Tells what happened (meant.js), and to which tile.
export function happened(type, tile) {
  const { isHeld } = state
  state = next(state, { type, tile: tile?.id ?? null })
  show(isHeld !== state.isHeld)
}

export default function follow(board) {
  let last // where the pointer was, if it is in the window
  let isScrolling = false
  lists = board.querySelector(".lists")
  board.toggleAttribute("data-meant", true)

  function point({ target, pointerType, clientX: x, clientY: y, type }) {
    if (pointerType === "touch") return
    const hasMoved = type === "pointerdown" || x !== last?.x || y !== last?.y
    last = { x, y }
    if (isAbove(target)) return
    if (hasMoved || type === "pointerover") happened(hasMoved ? "point" : isScrolling ? "scroll" : "slide", tileAt(target))
  }

  function leave({ pointerType }) {
    if (pointerType === "touch") return
    last = undefined
    happened("point")
  }

  function scrolled() {
    isScrolling = false
    const below = last && document.elementFromPoint(last.x, last.y)
    if (below && !isAbove(below)) happened("scroll", tileAt(below))
  }

  for (const type of ["pointerover", "pointermove", "pointerdown"]) document.addEventListener(type, point, { passive: true })
  document.documentElement.addEventListener("pointerleave", leave)
  document.addEventListener("scroll", () => { isScrolling = true }, { capture: true, passive: true })
  document.addEventListener("scrollend", scrolled, { capture: true, passive: true })
  document.addEventListener("focusin", ({ target }) => { if (!isAbove(target)) happened("focus", tileAt(target)) })
  document.addEventListener("focusout", ({ relatedTarget, target }) => {
    if (!relatedTarget && document.hasFocus() && !isAbove(target)) happened("focus")
  })
  new MutationObserver(() => {
    if (state.tile && !document.getElementById(state.tile)) happened("gone", { id: state.tile })
    else show()
  }).observe(lists, { childList: true, subtree: true })
  const focused = tileAt(document.activeElement)
  if (focused) happened("focus", focused)
}

const idOf = (tile) => tile?.id.slice("card-".length)
const tileAt = (element) => element.closest?.(PART)
const isAbove = (element) => element.closest?.("dialog, [popover]")

// `isTold` even if the tile is the same.
function show(isTold = false) {
  const tile = state.tile && document.getElementById(state.tile)
  if ((tile === marked && !isTold) || !lists) return
  marked?.classList.remove("meant")
  tile?.classList.add("meant")
  marked = tile
  takeFocus(tile)
  lists.dispatchEvent(new CustomEvent("board:meant", { detail: { tile } }))
}

// The tile that is pointed at takes the focus from another one, so that Enter and Alt+arrows mean the same tile as letters do.
// While a tile is replaced (placeTile), both it and the new one are on the page, with one id.
function takeFocus(tile) {
  const has = tileAt(document.activeElement)
  if (tile && has && has.id !== tile.id && !state.isHeld) tile.querySelector(".title").focus({ preventScroll: true })
}
