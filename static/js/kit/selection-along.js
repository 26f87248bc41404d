// Takes the selected cards along from one view of a board, or of *My work*, to another in the same tab.
const KEY = "selection-along"

// Remembers `cards()`, ids of cards, when a link to another view of the same cards is followed.
export function takeSelectionAlong(main, cards) {
  main.addEventListener("click", ({ target }) => {
    if (target.closest(".views a")) keep(placeOf(main), cards())
  })
}

// The cards that were selected in the view before; each selection is brought once.
export function selectionBrought(main) {
  try {
    const { place, cards } = JSON.parse(sessionStorage.getItem(KEY)) ?? {}
    sessionStorage.removeItem(KEY)
    return place === placeOf(main) ? cards : []
  } catch {
    return [] // nothing is kept where the browser forbids it
  }
}

function keep(place, cards) {
  try {
    if (cards.length) sessionStorage.setItem(KEY, JSON.stringify({ place, cards }))
  } catch {
    // nothing is kept where the browser forbids it
  }
}

const placeOf = (main) => main.dataset.board ?? "my"
