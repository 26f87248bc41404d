// Reads what the text of a new card of *My work* says besides its title, with the labels and members of the chosen board.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { dateWords } from "../quick-add/date-words.js";
import { show as showChips } from "../quick-add/quick-parts.js";
import { completed, hideSuggestions, keyForSuggestions, showSuggestions, take } from "../quick-add/quick-suggest.js";
import { distinct, readWords, todayIn, valuesOf } from "../quick-add/quick-words.js";

const SIGNS = { label: "#", person: "@" }

export default async function myWords({ week, zone }) {
  const findDate = await dateWords(document.documentElement.lang, week % 7)
  const boards = new Map() // by id, what was read of each
  const read = (text, things, declined) => readWords(text, things, { findDate, today: todayIn(zone), declined, wanted: [] })
  return { thingsFor, show, hideSuggestions, isForSuggestions: keyForSuggestions, take, forgetBoards: () => boards.clear(), valuesOf: values }

  // Only a text with a sign needs them. If they cannot be read, its words stay in the title.
  function thingsFor(text, board) {
    if (!/[#@]/.test(text)) return []
    if (!boards.has(board)) boards.set(board, thingsOn(board).catch(() => boards.delete(board) && []))
    return boards.get(board)
  }

  function show({ title, chips, suggested }, things, declined) {
    showSuggestions(title, suggested, things, () => true)
    showChips(chips, read(title.value, things, declined).chips)
  }

  // A name that was begun is taken, unless its suggestions could be seen.
  async function values(text, board, declined, isShown) {
    const things = await thingsFor(text, board)
    return valuesOf(read(isShown ? text : completed(text, things), things, declined))
  }
}

// Reads the labels and members in the menus of the board's cards.
async function thingsOn(board) {
  const menus = await fetchFragments(`/board/${board}/cards`, new AbortController().signal)
  return distinct(menus.flatMap((menu) => [...menu.querySelectorAll("[data-change$='on=1']")]).map((button) => {
    const [[kind, id]] = new URLSearchParams(button.dataset.change), { textContent, className } = button.lastElementChild
    return { kind, sign: SIGNS[kind], id, name: textContent.trim(), css: className }
  }))
}
