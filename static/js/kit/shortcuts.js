// Turns keys into events on the board: "board:done", "board:move" and so on. Each is sent to the tile of the card that is
// meant, with its id as `detail.card`, or to the board. Who does the thing listens. Arrows are in roving.js.
import { cardMeant, tileMeant } from "../board/card-meant.js";
import { isMaking } from "./busy.js";
import { go } from "../board/roving.js";
import { isTyping, keyOf } from "./typed-keys.js";

const ON_BOARD = { n: "new-card", f: "filter", "Shift+f": "clear-filter", x: "select", "?": "help", "Mod+z": "undo", "Mod+Shift+z": "redo" }
const ON_CARD = { c: "done", a: "assign-me", d: "due", "Shift+l": "labels", m: "move", e: "archive" }
// An open card covers the field of the search, which / goes to elsewhere (palette.js): there / opens the palette.
const IN_CARD = { ...ON_CARD, l: "labels", "/": "search", "?": "help", "Mod+z": "undo", "Mod+Shift+z": "redo" } // on the board, l goes to the right
const OF_CARD = [...Object.values(ON_CARD), "people", "copy", "copy-link", "cover", "open"]
const WAYS = { j: "down", k: "up", h: "left", l: "right" }
const ARROWS = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" } // where nothing has the focus
const TO_READ = ["filter", "clear-filter", "search", "help", "palette", "copy-link", "open"] // a viewer may do these alone
const OWN_ENTER = "a, button, summary"

export default function shortcuts(board) {
  document.addEventListener("keydown", (event) => {
    const key = keyOf(event)
    const dialog = [...document.querySelectorAll("dialog:modal")].at(-1)
    if (event.defaultPrevented || isTyping(event) || isElsewhere(dialog) || isInMenu(key)) return
    const name = dialog ? inCard(key) : ON_CARD[key] ?? ON_BOARD[key] ?? (isToOpen(event) && "open")
    const isDone = name ? !event.repeat && tell(board, name) : !dialog && go(WAYS[key] ?? (isFree(event) && ARROWS[key]))
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

const isElsewhere = (dialog) => (dialog && dialog.id !== "card-dialog") || document.querySelector("[popover]:popover-open, .is-dragging body")

// Somebody who types a name of what an open menu offers means no card.
const isInMenu = (key) => !key.startsWith("Mod+") && document.querySelector("main.board details.menu[open]")
// Letters are typed too early or too late for a field that opens, closes or is being sent, or before the card itself has come.
const isBetween = () => !document.getElementById("open-card") || isMaking(document.getElementById("card-dialog"))
const inCard = (key) => !key.startsWith("Mod+") && isBetween() ? undefined : IN_CARD[key]
// Whether arrows scroll nothing that has the focus: of a page that has just come, nothing has.
const isFree = ({ target }) => target.matches("body, main") || (target.matches(".lists") && tileMeant())
const isToOpen = ({ key, target }) => key === "Enter" && !target.closest?.(OWN_ENTER)
