// What the scripts of *My work* and of tables know of the rows of a page.
const REGION = ":is(#my-rows, #table-rows)"
export const region = () => document.querySelector(REGION)
export const rows = () => [...region().querySelectorAll("[data-card]")]
export const rowOf = (card) => document.getElementById(`row-${card}`)
export const linkOf = (row) => row.querySelector(".title")
export const rowAt = (element) => element?.closest?.(`${REGION} [data-card]`)

// The row that keys mean: that with the focus, or else that below the pointer.
export const rowMeant = () => rowAt(document.activeElement) ?? region().querySelector("[data-card]:hover")

// Asks for something to be done with the card of a row, as keys and the menu do: board:done, board:due and so on (my-work.js).
// `isOwn`: with this card alone, though others are selected.
export function tellRow(row, name, { isOwn = false } = {}) {
  if (!("edit" in row.dataset)) return false
  row.dispatchEvent(new CustomEvent(`board:${name}`, { bubbles: true, detail: { card: row.dataset.card, isOwn } }))
  return true
}
