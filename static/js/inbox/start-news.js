// Keeps *What's new* on the start page as the server has it, when the bell tells of news. Nothing moves below the pointer, but what
// is of a board that the reader has lost goes at once.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { leave } from "../kit/leave.js";
import { tellPlaced } from "../kit/placed.js";
import { keepingFocus } from "../kit/post.js";
import { formatTimes } from "../kit/times.js";
import { onNews } from "../live/news.js";

export default function startNews(section) {
  const shown = () => section.querySelector("#start-news")
  let asked
  let isTold = false // the count of the bell came before
  let isStale = false

  onNews("bell:unread", (unread) => {
    if (isTold || Number(shown().dataset.unread) !== unread) load() // without a number it has only some of them
    isTold = true
  })
  document.addEventListener("visibilitychange", again)
  section.addEventListener("pointerleave", again)

  async function load() {
    isStale = document.hidden
    if (isStale) return
    asked?.abort()
    const { signal } = asked = new AbortController()
    try {
      const [fresh] = await fetchFragments(location.pathname, signal)
      if (signal.aborted) return
      const hasLost = takeLost(fresh)
      isStale = section.matches(":hover") && !hasLost // the pointer may have come meanwhile
      if (!isStale) show(fresh)
    } catch {
      isStale = !signal.aborted // the next news brings it, or somebody who looks again
    }
  }

  function again() {
    if (isStale) load()
  }

  function show(fresh) {
    formatTimes(fresh)
    for (const row of shown().querySelectorAll("li")) if (!fresh.querySelector(`#${row.querySelector(".told").id}`)) leave(row)
    keepingFocus(() => shown().replaceWith(fresh))
    tellPlaced(fresh)
  }
}

// Takes away the tiles and due cards of boards that are lost or archived. Returns whether there were any.
function takeLost({ dataset: { boards = "" } }) {
  const open = new Set(boards.split(" "))
  const lost = [...document.querySelectorAll(".board-tile, .due-row")].filter((row) => !open.has(row.dataset.board))
  for (const row of lost) leave(row)
  return lost.length > 0
}
