// The keys of *My work*: arrows go from row to row, and letters do to the card of a row what they do on its board.
import { isTyping, keyOf } from "../kit/typed-keys.js";
import { linkOf, region, rowMeant, rows, tellRow } from "./rows.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }
const OF_ROW = { c: "done", d: "due", "Shift+l": "labels", l: "labels", m: "move", e: "archive" }
const OF_TABLE = { a: "assign-me" } // where rows show whose they are
const OPENS = "o" // also where Enter does something else, as in the cells of a table
const OF_PAGE = { n: "new-card", f: "filter", "Shift+f": "clear-filter", "?": "help", "Mod+z": "undo" }
const OPEN = "dialog:modal, [popover]:popover-open, details.menu[open], [data-asking]"

export default function myKeys(main) {
  document.addEventListener("keydown", (event) => {
    const key = keyOf(event)
    if (event.defaultPrevented || isTyping(event) || document.querySelector(OPEN)) return
    if (STEPS[key] && isHere(event) ? go(STEPS[key]) : !event.repeat && ask(key)) event.preventDefault()
  })

  // Arrows scroll what has the focus elsewhere.
  const isHere = ({ target }) => target === document.body || target === main || region().contains(target)

  function ask(key) {
    const row = rowMeant()
    if (key === OPENS) {
      if (row) linkOf(row).click()
      return Boolean(row)
    }
    const asked = OF_ROW[key] ?? (region().matches("#table-rows") && OF_TABLE[key])
    if (asked) return Boolean(row) && tellRow(row, asked)
    if (OF_PAGE[key]) main.dispatchEvent(new CustomEvent(`board:${OF_PAGE[key]}`, { bubbles: true, detail: {} }))
    return Boolean(OF_PAGE[key])
  }
}

function go(step) {
  const all = rows(), at = all.indexOf(rowMeant())
  const row = at < 0 ? all.at(step > 0 ? 0 : -1) : all[at + step]
  if (!row) return at >= 0
  linkOf(row).focus({ preventScroll: true })
  row.scrollIntoView({ block: "nearest" })
  return true
}
