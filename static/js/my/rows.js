// What the scripts of *My work* know of its rows.
export const region = () => document.getElementById("my-rows")
export const rows = () => [...region().querySelectorAll(".due-row")]
export const rowOf = (card) => document.getElementById(`row-${card}`)
export const linkOf = (row) => row.querySelector(".title")
export const rowAt = (element) => element?.closest?.("#my-rows .due-row")

// The row that keys mean: that with the focus, or else that below the pointer.
export const rowMeant = () => rowAt(document.activeElement) ?? region().querySelector(".due-row:hover")

// Asks for something to be done with the card of a row, as keys and the menu do: board:done, board:due and so on (my-work.js).
export function tellRow(row, name) {
  if (!("edit" in row.dataset)) return false
  row.dispatchEvent(new CustomEvent(`board:${name}`, { bubbles: true, detail: { card: row.dataset.card } }))
  return true
}
