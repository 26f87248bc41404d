// Replaces everything on the board: removes lists and cards that are not among the fragments. Parts of lists that somebody
// had scrolled to are read again, up to a limit.
import { readOn } from "./more-cards.js";
import { place } from "./place.js";
import { remove, takePart } from "./place-lists.js";

const AGAIN = 500 // tiles

export async function placeEverything(elements, { signal, ...options }) {
  const board = document.querySelector("main.board")
  const scrolled = [...board.querySelectorAll(".list[id]")].map(seen).filter(({ id }) => id)
  const tiles = elements.flatMap((element) => [...element.querySelectorAll(".card")])
  const kept = new Set([...elements, ...tiles].map((element) => element.id))
  for (const element of elements) placeWhole(element, options)
  for (const tile of tiles) place(tile, options)
  for (const shown of document.querySelectorAll(".list[id], .list > ol > .card, .offer")) if (!kept.has(shown.id)) remove(shown.id)
  for (const one of scrolled) await restore(board, one, signal)
}

function placeWhole(element, options) {
  const list = element.matches(".list") && document.getElementById(element.id)
  const footer = element.querySelector(":scope > footer")
  place(element, options)
  if (list) takePart(list, element, footer)
}

// Returns what a list shows, and which tile is at the top of it.
function seen(list) {
  const row = list.querySelector("ol")
  const { top } = row.getBoundingClientRect()
  const first = row.scrollTop > 0 && [...row.children].find((tile) => tile.getBoundingClientRect().bottom > top)
  return { list, row, loaded: row.children.length, id: first && first.id, top: row.scrollTop && placeOf(first) }
}

async function restore(board, { list, row, loaded, id, top }, signal) {
  const wanted = Math.min(loaded, AGAIN)
  while (list.isConnected && "next" in list.dataset && row.children.length < wanted) await readOn(board, list, signal)
  const tile = document.getElementById(id)
  if (tile) row.scrollTop += placeOf(tile) - top
}

const placeOf = (tile) => tile.getBoundingClientRect().top
