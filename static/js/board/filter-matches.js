// Asks the server which of the cards that changed the filter of the page keeps.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { place } from "./place.js";

const AT_MOST = 40 // ids in an address; with more, the page reads its lists anew

// Returns the ids of the cards to show, or undefined when too many changed. Places how many cards the lists then have.
export async function keptOf(board, { changed, removed }, signal) {
  const cards = changed.filter(({ kind }) => kind === "card")
  const tiles = [...changed, ...removed].map(({ id }) => document.getElementById(`card-${id}`))
  const lists = new Set([
    ...cards.map(({ html }) => /data-list="([^"]+)"/.exec(html)?.[1]),
    ...tiles.map((tile) => tile?.dataset.list),
  ])
  // The list that a hidden card has left is not known.
  const isHidden = [...changed, ...removed].some(({ kind, id }) => kind === "card" && !document.getElementById(`card-${id}`))
  const every = document.querySelectorAll(".list[id]")
  if (isHidden && cards.length + every.length <= AT_MOST) for (const { id } of every) lists.add(id.slice("list-".length))
  lists.delete(undefined)
  if (cards.length + lists.size > AT_MOST) return undefined
  const asked = [...cards.map(({ id }) => `card=${id}`), ...[...lists].map((id) => `list=${id}`), board.dataset.filter]
  const [found, ...totals] = await fetchFragments(`/board/${board.dataset.board}/matches?${asked.join("&")}`, signal)
  return { kept: new Set(found.dataset.matches.split(" ")), count: () => totals.forEach((total) => place(total)) }
}
