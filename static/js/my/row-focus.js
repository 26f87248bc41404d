// Keeps the focus at its row when rows are replaced, also while a dialog is open: the browser cannot return it to a row that is
// gone, and the next key would mean the row below the pointer. A row that leaves gives it to the next one.
import { linkOf, region, rowAt, rowOf, rows } from "./rows.js";

let card // of the row that has the focus, or had it when the dialog opened
let place = 0 // of that row

export function followFocus() {
  const remember = (element) => { card = rowAt(element)?.dataset.card }
  document.addEventListener("focusin", ({ target }) => { if (!isAbove(target)) remember(target) })
  document.addEventListener("focusout", ({ target, relatedTarget }) => {
    if (!relatedTarget && target.isConnected && document.hasFocus() && !isAbove(target)) remember()
  })
  document.addEventListener("close", () => setTimeout(giveBack), { capture: true })
  remember(document.activeElement)
}

export const rowFocused = () => card && rowOf(card)

// Calls `change`, which replaces the rows.
export function keepingRow(change) {
  const row = rowFocused(), former = card
  if (row) place = rows().indexOf(row)
  change()
  card = former // what is taken away loses the focus first
  giveBack()
}

function giveBack() {
  const focused = document.activeElement
  const isLost = focused === document.body || focused.closest("dialog:not([open])") // which loses it in a moment
  if (!card || !isLost) return
  const row = rowFocused() ?? rows()[place] ?? rows().at(-1)
  const stop = row && (row.querySelector("[tabindex='0']") ?? linkOf(row)) // tables have a cell that Tab stops at
  ;(stop ?? document.getElementById("main")).focus({ preventScroll: true })
}

const isAbove = (element) => element.closest?.("dialog, [popover]")
