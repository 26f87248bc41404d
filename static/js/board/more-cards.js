// Reads the cards of long lists on where somebody scrolls, and lists far to the right when they come near.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { place, placeTiles } from "./place.js";
import { hasMore, setTotal, takePart } from "./place-lists.js";

const NEAR = { rootMargin: "0px 400px", scrollMargin: "0px 0px 1000px" }
const AGAIN_AFTER = 5000
const ATTEMPTS = 3
const PIECE = { least: 5, first: 10, most: 20 } // tiles that are laid out in a frame
const FRAME = { short: 25, long: 100 } // milliseconds

export default function moreCards(board) {
  const row = board.querySelector(".lists")
  const ends = new Map() // by list: what to wait for, its last tile, or itself if it has none
  const reading = new Set()
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) read(target.closest(".list"))
  }, NEAR)

  new MutationObserver((records) => watch(changed(records)))
    .observe(row, { childList: true, subtree: true, attributeFilter: ["data-next", "data-unread"] })
  watch(row.children)

  function changed(records) {
    const targets = new Set(records.map(({ target }) => target))
    return targets.has(row) ? row.children : new Set([...targets].map((target) => target.closest(".list")).filter(Boolean))
  }

  function watch(lists) {
    for (const list of lists) {
      if (!list.matches("[data-next], [data-unread]")) continue
      const end = list.querySelector("ol").lastElementChild ?? list
      if (ends.get(list) === end) continue
      if (ends.has(list)) observer.unobserve(ends.get(list))
      ends.set(list, end)
      observer.observe(end)
    }
  }

  async function read(list) {
    if (!list || reading.has(list) || !hasMore(list)) return
    reading.add(list)
    list.setAttribute("aria-busy", "true")
    try {
      showInPieces(await readOn(board, list, new AbortController().signal))
    } catch (error) {
      if (!error.isExpected) reportError(error)
      await new Promise((resolve) => setTimeout(resolve, AGAIN_AFTER))
    }
    reading.delete(list)
    list.removeAttribute("aria-busy")
    observer.unobserve(ends.get(list)) // it may still be in view: ask again
    ends.delete(list)
    watch([list])
  }
}

const unseen = [] // tiles of all lists that are still to be laid out
let piece = PIECE.first

// A hundred tiles at once would take a slow processor longer than a frame may take. How many it gets depends on how long the
// frames before took.
async function showInPieces(tiles) {
  for (const tile of tiles) tile.hidden = true
  if (unseen.push(...tiles) > tiles.length) return // they are being shown already
  let before = await new Promise(requestAnimationFrame)
  while (unseen.length) {
    for (const tile of unseen.splice(0, piece)) tile.hidden = false
    const now = await new Promise(requestAnimationFrame)
    if (now - before > FRAME.long) piece = Math.max(PIECE.least, piece >> 1)
    else if (now - before < FRAME.short) piece = Math.min(PIECE.most, piece + 1)
    before = now
  }
}

// Reads the next part of a list, and returns the tiles that are new on the page.
export async function readOn(board, list, signal) {
  const { next } = list.dataset
  const { filter } = board.dataset
  const query = [next && `from=${next}`, filter].filter(Boolean).join("&")
  const address = `${board.dataset.base}/list/${list.id.replace("list-", "")}/cards?${query}`
  const [part, ...elements] = await readCurrent(board, address, signal)
  if (next !== list.dataset.next || filter !== board.dataset.filter) return [] // it was read anew meanwhile
  const whole = elements.find((element) => element.matches(".list"))
  const tiles = whole ? [...whole.querySelectorAll(".card")] : elements
  if (whole) place(whole)
  takePart(list, part, whole?.querySelector("footer"))
  const fresh = placeTiles(list, tiles)
  setTotal(list, part.dataset)
  return fresh
}

// Reads fragments, again while they are older than what the page shows: they may hold what is gone since.
export async function readCurrent(board, address, signal) {
  for (let attempt = 1; ; attempt++) {
    const elements = await fetchFragments(address, signal)
    if (attempt === ATTEMPTS || Number(elements[0].dataset.version) >= Number(board.dataset.version)) return elements
  }
}
