// Tells that the open card was deleted, or is on a board that its reader cannot see. What it shows, and what was typed, stays
// until the reader closes it, so that it can be copied.
export function tellGone(card) {
  if (card.matches(".gone")) return
  card.classList.add("gone")
  card.querySelector('[data-part="head"]').append(document.getElementById("card-gone").content.cloneNode(true))
  for (const control of card.querySelectorAll("button, select")) control.disabled = true
}
