// Takes the selected cards along from one view of a board to another in the same tab.
const KEY = "selection-along"

// Remembers `cards()`, ids of cards, when a link to another view of the board is followed.
export function takeSelectionAlong(main, cards) {
  main.addEventListener("click", ({ target }) => {
    if (target.closest(".views a")) keep(main.dataset.board, cards())
  })
}

// The cards that were selected on the board in the view before; each selection is brought once.
export function selectionBrought(board) {
  try {
    const { board: of, cards } = JSON.parse(sessionStorage.getItem(KEY)) ?? {}
    sessionStorage.removeItem(KEY)
    return board && of === board ? cards : []
  } catch {
    return [] // nothing is kept where the browser forbids it
  }
}

function keep(board, cards) {
  try {
    if (board && cards.length) sessionStorage.setItem(KEY, JSON.stringify({ board, cards }))
  } catch {
    // nothing is kept where the browser forbids it
  }
}
