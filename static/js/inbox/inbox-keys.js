// The keys of the inbox: arrows go from row to row, E marks a row as read and goes on to the next one.
import { isTyping, keyOf } from "../kit/typed-keys.js";
import { linkOf, pane, rows, WIDE } from "./rows.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1, j: 1, k: -1 }
const OPEN = "dialog:modal, [popover]:popover-open, details.menu[open]"

export default function inboxKeys(main) {
  document.addEventListener("keydown", (event) => {
    const key = keyOf(event)
    if (event.defaultPrevented || isTyping(event) || document.querySelector(OPEN)) return
    if (key === "e" && !event.repeat ? read() : STEPS[key] && isHere(event) && go(STEPS[key])) event.preventDefault()
  })

  // Arrows scroll what has the focus elsewhere.
  const isHere = ({ target }) => target === document.body || target === main || target.closest("#inbox-rows")

  function current() {
    const chosen = main.querySelector(".told[aria-current]")
    return document.activeElement.closest(".notification") ?? chosen?.closest(".notification")
  }

  function go(step) {
    const all = rows(), from = current()
    const row = from ? all[all.indexOf(from) + step] : all.at(step > 0 ? 0 : -1)
    if (row) focus(row)
    return Boolean(row ?? from)
  }

  function read() {
    const row = current()
    if (!row) return false
    const button = row.matches(".unread") && row.querySelector("button[value=read]")
    if (button) button.form.requestSubmit(button)
    const next = row.nextElementSibling
    if (!next) return true
    focus(next)
    if (WIDE.matches && pane().dataset.card) linkOf(next).dataset.card && linkOf(next).click()
    return true
  }

  function focus(row) {
    linkOf(row).focus({ preventScroll: true })
    row.scrollIntoView({ block: "nearest" })
  }
}
