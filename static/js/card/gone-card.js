// Tells that the open card was deleted, or is on a board that its reader cannot see. What it shows, and what was typed, stays
// until the reader closes it, so that it can be copied.
export function tellGone(card) {
  if (card.matches(".gone")) return
  card.classList.add("gone")
  card.querySelector('[data-part="head"]').append(document.getElementById("card-gone").content.cloneNode(true))
  for (const control of card.querySelectorAll(":is(button, select):enabled")) {
    control.disabled = true
    control.dataset.gone = ""
  }
}

// The card came back, and what was being written in it with it.
export function tellBack(card) {
  for (const control of card.querySelectorAll("[data-gone]:is(button, select)")) {
    control.disabled = false
    delete control.dataset.gone
  }
}
