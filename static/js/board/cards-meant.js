// The selected cards, in the order of the board; the open card, or the one that is meant, if none is selected.
export function cardsMeant(card) {
  const selected = document.getElementById("open-card") ? [] : document.querySelectorAll(".lists .card.selected")
  return selected.length ? [...selected].map((tile) => tile.id.slice("card-".length)) : [card]
}
