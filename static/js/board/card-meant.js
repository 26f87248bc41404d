// Returns the card that is open, or has the focus, or is selected or under the pointer. There is none on pages without a board.
export function cardMeant() {
  const open = document.getElementById("open-card")
  const tile = document.activeElement.closest(".card") ?? document.querySelector(".card.selected, .card:hover")
  return open ? open.dataset.card : tile?.id.slice("card-".length)
}
