// Turns keys into events on the board: "board:done", "board:move" and so on. Each is sent to the tile of the card that is
// meant, with its id as `detail.card`, or to the board. Who does the thing listens. Arrows are in roving.js.
import { cardMeant } from "../board/card-meant.js";
import { go } from "../board/roving.js";

const ON_BOARD = { n: "new-card", "/": "search", f: "filter", "Shift+f": "clear-filter", x: "select", "?": "help", "Mod+z": "undo", "Mod+Shift+z": "redo" }
const ON_CARD = { c: "done", a: "assign-me", d: "due", "Shift+l": "labels", m: "move", e: "archive" }
const IN_CARD = { ...ON_CARD, l: "labels", "/": "search", "?": "help", "Mod+z": "undo", "Mod+Shift+z": "redo" } // on the board, l goes to the right
const OF_CARD = [...Object.values(ON_CARD), "copy-link", "cover"]
const WAYS = { j: "down", k: "up", h: "left", l: "right" }
const TO_READ = ["filter", "clear-filter", "search", "help", "palette", "copy-link"] // a viewer may do these alone
const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable=false])"

export default function shortcuts(board) {
  document.addEventListener("keydown", (event) => {
    const key = keyOf(event)
    const dialog = document.querySelector("dialog:modal")
    if (event.defaultPrevented || isTyping(event) || isElsewhere(dialog)) return
    const name = dialog ? IN_CARD[key] : ON_CARD[key] ?? ON_BOARD[key]
    const isDone = name ? !event.repeat && tell(board, name) : !dialog && WAYS[key] && go(WAYS[key])
    if (isDone) event.preventDefault()
  })
  board.addEventListener("click", (event) => {
    const name = event.target.closest("[data-tell]")?.dataset.tell
    if (!name || event.defaultPrevented) return
    event.preventDefault()
    event.target.closest("details.menu[open]")?.removeAttribute("open")
    tell(board, name)
  })
}

// Asks for something by its name, as a key does. Returns whether it may be asked for.
export function tell(board, name, card = cardMeant()) {
  if (!mayTell(board, name, card)) return false
  const target = document.getElementById(`card-${card}`) ?? board
  target.dispatchEvent(new CustomEvent(`board:${name}`, { bubbles: true, detail: { card } }))
  return true
}

// Some things need a card, and most need a reader who may change it.
export function mayTell(board, name, card) {
  return Boolean(card || !OF_CARD.includes(name)) && (board.dataset.role !== "viewer" || TO_READ.includes(name))
}

const isElsewhere = (dialog) => (dialog && dialog.id !== "card-dialog") || document.querySelector("[popover]:popover-open")

function isTyping({ target, isComposing }) {
  return isComposing || target.closest?.(TYPING)
}

// Returns the key as in the tables. Of a keyboard without Latin letters the place of the key counts. Other signs are taken
// as they come: ? needs Shift on many keyboards, and some need AltGr.
function keyOf(event) {
  const letter = /^[a-z]$/i.test(event.key) ? event.key : /^[^\x00-\x7f]$/.test(event.key) && /^Key([A-Z])$/.exec(event.code)?.[1]
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (!letter) return isPlain || event.getModifierState("AltGraph") ? event.key : ""
  const key = letter.toLowerCase()
  if (isPlain) return event.shiftKey ? `Shift+${key}` : key
  return (event.ctrlKey !== event.metaKey) && !event.altKey ? `Mod+${event.shiftKey ? "Shift+" : ""}${key}` : ""
}
