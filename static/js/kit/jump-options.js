// What the server finds for the letters of a field, as options of a list box. While they are shown, options that are no longer found
// are removed, for example cards of a board that the reader has lost.
import { lookUp } from "./look-up.js";

const here = document.querySelector("main[data-board]")?.dataset.board ?? "" // a table has a board, too

// `changed` is called when options have come or gone, with whether they are new; `failed` gets the words of a refusal, if there are
// any. Returns { look, stop, pending }, as lookUp() does.
export function jumpOptions(field, found, { changed, failed, isShown }) {
  const { ask, stop, pending } = lookUp("/jump", show, ({ words }) => failed(words))
  const again = lookUp("/jump", takeLost, () => {})
  document.addEventListener("bell:unread", async () => {
    await pending()
    if (isShown() && found.childElementCount) again.ask(asked(), { now: true })
  })
  return { look, stop: end, pending }

  function look(options) {
    again.stop()
    ask(asked(), options)
  }

  function end() {
    stop()
    again.stop()
  }

  function asked() {
    return { q: field.value, board: here }
  }

  function show(elements) {
    found.replaceChildren(...elements)
    changed({ isNew: true })
  }

  // The others stay where they are.
  function takeLost(elements) {
    const left = new Set(elements.flatMap((group) => [group, ...group.querySelectorAll("[role=option]")]).map(({ id }) => id))
    for (const option of found.querySelectorAll("[role=option]")) if (!left.has(option.id)) option.remove()
    for (const group of found.querySelectorAll("[role=group]")) if (!group.querySelector("[role=option]")) group.remove()
    changed({ isNew: false })
  }
}

// Whether only the way to the search page is left.
export const isNothingIn = (found) => found.childElementCount > 0 && !found.querySelector("[role=option]:not(#all-results)")

// Goes where an option leads: on its own board without leaving the page.
export function takeOption({ dataset }, event) {
  const board = document.querySelector("main.board"), isElsewhere = event.ctrlKey || event.metaKey
  if (isElsewhere) return window.open(dataset.href)
  if ("filter" in dataset && board) {
    return board.dispatchEvent(new CustomEvent("board:apply-filter", { detail: { query: dataset.filter, note: dataset.note } }))
  }
  if (dataset.card && dataset.board === board?.dataset.board) {
    return board.dispatchEvent(new CustomEvent("board:open", { detail: { card: dataset.card } }))
  }
  return location.assign(dataset.href)
}
