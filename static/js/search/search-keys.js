// The keys of the search page: arrows go from the field to the results and on, Escape returns to the field. Enter opens a
// result as it opens every link.
import { isTyping, keyOf } from "../kit/typed-keys.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }
const OPEN = "dialog:modal, [popover]:popover-open, details.menu[open]"

export const results = () => [...document.querySelectorAll("#search-results .hit > .title")]

export default function searchKeys(field) {
  document.addEventListener("keydown", (event) => {
    const key = keyOf(event), step = STEPS[key]
    if (event.defaultPrevented || event.isComposing || document.querySelector(OPEN) || (event.target !== field && isTyping(event))) return
    if (event.target === field ? key === "ArrowDown" && go(step) : key === "Escape" ? toField() : step && go(step)) event.preventDefault()
  })

  function go(step) {
    const all = results(), at = all.indexOf(document.activeElement)
    if (!all.length) return false
    if (at === 0 && step < 0) return toField()
    const next = at < 0 ? all[0] : all[at + step]
    next?.focus({ preventScroll: true })
    next?.scrollIntoView({ block: "nearest" })
    return true
  }

  function toField() {
    field.focus()
    field.select()
    return true
  }
}
