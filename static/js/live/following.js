// The bell of a card or a board: what can be followed or muted is read whenever it opens.
import { fetchFragments } from "../kit/fetch-fragments.js";

export default function following(menu) {
  const items = menu.querySelector(".items")
  let asked

  menu.addEventListener("toggle", load)
  load() // it may have been opened before this came
  items.addEventListener("click", ({ target }) => {
    if (!target.closest("button")) return
    menu.open = false
    menu.querySelector("summary").focus()
  })

  async function load() {
    asked?.abort()
    if (!menu.open) return
    const { signal } = asked = new AbortController()
    try {
      const elements = await fetchFragments(menu.dataset.from, signal)
      if (!signal.aborted) items.replaceChildren(...elements)
    } catch {
      // the link to the page stays
    }
  }
}
