// Keeps *What's new* on the start page as the server has it, when the bell tells of news. Nothing moves below the pointer.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { tellPlaced } from "../kit/placed.js";
import { keepingFocus } from "../kit/post.js";
import { formatTimes } from "../kit/times.js";

export default function startNews(section) {
  const shown = () => section.querySelector("#start-news")
  let asked
  let isTold = false // the count of the bell came before
  let isStale = false

  document.addEventListener("bell:unread", ({ detail: unread }) => {
    if (isTold || Number(shown().dataset.unread) !== unread) load() // without a number it has only some of them
    isTold = true
  })
  document.addEventListener("visibilitychange", again)
  section.addEventListener("pointerleave", again)

  const mustWait = () => document.hidden || section.matches(":hover")

  async function load() {
    isStale = mustWait()
    if (isStale) return
    asked?.abort()
    const { signal } = asked = new AbortController()
    try {
      const [fresh] = await fetchFragments(location.pathname, signal)
      if (signal.aborted) return
      isStale = mustWait() // the pointer may have come meanwhile
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
    keepingFocus(() => shown().replaceWith(fresh))
    tellPlaced(fresh)
  }
}
