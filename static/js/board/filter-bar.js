// The row below the head of a board while a filter is on (templates/web/partials/board/filter_bar.html). How many cards are
// shown follows the counts of the lists.
import { cardsOf } from "./place-lists.js";
import { tellPlaced } from "../kit/placed.js";

const NUMBERS = { childList: true, subtree: true, attributeFilter: ["data-all", "data-more"] }

export default function filterBar(bar) {
  const lists = document.querySelector("main.board .lists")
  const status = bar.querySelector("[role=status]"), { one, other } = status.dataset
  const observer = new MutationObserver(count)
  observer.observe(lists, NUMBERS)
  count()

  function count() {
    if (!bar.isConnected) return observer.disconnect()
    let kept = 0, all = 0
    for (const list of lists.querySelectorAll(":scope > .list[id]")) {
      const number = cardsOf(list)
      kept += number
      all += Number(list.dataset.all ?? number)
    }
    const words = (all === 1 ? one : other).replace("{count}", kept).replace("{all}", all)
    if (status.textContent !== words) status.textContent = words
    return undefined
  }
}

// Shows the row of another filter; of none, without `fresh`.
export function placeBar(fresh, button) {
  keepingChip(() => put(fresh), () => button)
}

// Calls `change`, which replaces the chips. The focus stays at its place among them, or else goes to `button()`.
export function keepingChip(change, button) {
  const at = chips().indexOf(document.activeElement)
  change()
  if (at >= 0) (chips()[Math.min(at, chips().length - 1)] ?? button()).focus({ preventScroll: true })
}

const chips = () => [...document.querySelectorAll("#filter-bar .chip")]

function put(fresh) {
  const old = document.getElementById("filter-bar")
  if (!old && fresh) {
    document.querySelector(".boardbar").after(fresh)
    tellPlaced(fresh)
  } else if (fresh) {
    old.querySelector("ul").replaceWith(fresh.querySelector("ul")) // the status stays, so that its change is announced
  } else {
    old?.remove()
  }
}
