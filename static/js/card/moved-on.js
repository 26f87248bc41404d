// Where somebody else changed a text while it was edited here, busy.js leaves the form as it is, with a notice. When that form is
// closed, its old text must not be opened again: reads the card anew.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { place } from "../board/place.js";

export default function movedOn(board) {
  board.addEventListener("toggle", ({ target }) => {
    const notice = target.matches("details.edit:not([open])") && target.closest("[data-part]")?.querySelector("[data-moved-on]")
    if (notice) refresh(notice)
  }, { capture: true })
}

async function refresh(notice) {
  const { card } = notice.closest("#open-card").dataset
  try {
    for (const element of await fetchFragments(`/card/${card}`, new AbortController().signal)) place(element)
  } catch {
    // the old text stays; saving it shows both versions
  }
}
