// Returns the address of a card of the board, or of the board alone. The filter of the page stays in it.
export function addressOf(board, card) {
  const query = new URLSearchParams(location.search)
  query.delete("card")
  if (card) query.set("card", card)
  return `${board.dataset.base || `/board/${board.dataset.board}`}${query.size ? `?${query}` : ""}`
}
