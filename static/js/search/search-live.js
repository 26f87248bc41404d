// Keeps what a search found up to date: when one of the boards has changed, each result becomes what it is now, in its place, and
// those go that no longer match, or that one may no longer see. The next search brings new ones. Numbers count more cards than are
// shown, so the page searches again when a board was lost.
import { boardsOf } from "../kit/boards-seen.js";
import { fetchFragments } from "../kit/fetch-fragments.js";
import { formatTimes } from "../kit/times.js";
import { onNews } from "../live/news.js";

const rows = () => [...document.querySelectorAll("#search-results .hit")]
const idOf = (row) => row.id.slice("hit-".length)

// `changed` is called when results have gone; `outdated` when none is left, or when the numbers may be wrong.
export default function searchLive(main, { changed, outdated }) {
  let asked
  let isStale = false
  let areOthers = false // the boards, since the search
  let isOlder = false // perhaps, what a search brings that is on its way: there was news since

  onNews("work:changed", (work) => {
    areOthers ||= boardsOf(work) !== boardsOf(main.dataset.seen)
    main.dataset.seen = work
    isOlder = main.ariaBusy === "true"
    refresh()
  })
  document.addEventListener("visibilitychange", () => { if (isStale) refresh() })
  return function begin() { // with the results of a new search
    asked?.abort()
    if (isOlder) refresh()
    else areOthers = false
    isOlder = false
  }

  async function refresh() {
    isStale = document.hidden
    asked?.abort()
    if (isStale || !rows().length) return
    const { signal } = asked = new AbortController()
    const query = new URLSearchParams(location.search) // of the results, while the next one is being typed
    query.set("shown", rows().map(idOf).join("."))
    try {
      const [fresh] = await fetchFragments(`${location.pathname}?${query}`, signal)
      if (signal.aborted) return
      formatTimes(fresh)
      renew(fresh)
    } catch {
      isStale ||= !signal.aborted // the next news brings it, or somebody who looks again
    }
  }

  function renew(fresh) {
    const all = rows(), held = all.find((row) => row.contains(document.activeElement))
    const gone = all.filter((row) => !fresh.querySelector(`[id="${row.id}"]`))
    for (const row of all) {
      const now = fresh.querySelector(`[id="${row.id}"]`)
      if (now && now.outerHTML !== row.outerHTML) row.replaceWith(now)
    }
    for (const row of gone) take(row)
    if (held && !held.isConnected) focusNear(held.id, all.indexOf(held))
    const isWrong = areOthers && document.querySelector("#search-results h2 > .count")
    if (isWrong || (gone.length && !rows().length)) outdated()
    else if (gone.length) changed()
  }

  function focusNear(id, place) {
    const left = rows(), row = document.getElementById(id) ?? left[place] ?? left.at(-1)
    const to = row?.querySelector(".title") ?? document.getElementById("search-field")
    to.focus({ preventScroll: true })
  }
}

// Takes a row away, and its section with the last one. The number beside its head goes down, unless it says "more than"; that of
// cards counts the best match too.
function take(row) {
  const section = row.closest("section")
  const number = section.querySelector("h2 > .count") ?? document.querySelector("#found-cards-heading > .count")
  row.remove()
  if (!section.querySelector(".hit")) section.remove()
  if (/^\d+$/.test(number?.textContent)) number.textContent -= 1
}
