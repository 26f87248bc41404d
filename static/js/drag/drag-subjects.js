// What is dragged: tiles or a list. Says where it would be dropped, and drops it there.
import { hold, letGo } from "../board/held.js";
import { moveTile, settle } from "../board/optimistic.js";
import { sendCards } from "../board/send-cards.js";
import { sendValues } from "../kit/send-forms.js";

const THICK = 3 // pixels
const row = () => document.querySelector("main.board > .lists")
const allLists = () => [...row().querySelectorAll(":scope > .list[id]")]
const idOf = (element) => element?.id.replace(/^(card|list)-/, "")

// Drags this tile, or all selected ones if it is one of them.
export function cardsDrag(tile) {
  const selected = tile.matches(".selected") ? [...document.querySelectorAll(".list > ol > .card.selected")] : []
  const elements = [tile, ...selected.filter((one) => one !== tile)]
  const shown = selected.length ? selected : [tile] // in the order in which they are shown, which the copy is not about
  const ids = shown.map(({ id }) => id)
  hold(ids)
  return { elements, placeAt, drop, letGo: () => letGo(ids) }

  function placeAt(x, y) {
    const list = nearest(allLists(), x)
    const column = list?.querySelector(":scope > ol")
    if (!column) return undefined
    if ("collapsed" in list.dataset) return { list, isEnd: true, line: endOf(list) }
    const inside = column.getBoundingClientRect()
    const tiles = [...column.querySelectorAll(":scope > .card")]
    const at = firstBelow(tiles, Math.min(Math.max(y, inside.top), inside.bottom))
    const rest = (tilesThere) => tilesThere.find((one) => !shown.includes(one))
    const [after, before] = [rest(tiles.slice(0, at).reverse()), rest(tiles.slice(at))]
    const edge = tiles[at] ? tiles[at].getBoundingClientRect().top : (tiles.at(-1)?.getBoundingClientRect().bottom ?? inside.top) + 8
    const top = Math.min(Math.max(edge - 4, inside.top), inside.bottom) - THICK / 2
    return { list, after, before, scroller: column, line: { left: inside.left + 8, top, width: inside.width - 16, height: THICK } }
  }

  function drop({ list, after, before, isEnd }) {
    const isThere = shown.length === 1 && tile.closest(".list") === list && neighbour(tile) === before
    if (isThere) return
    for (const one of shown) moveTile(one, list, before)
    sendCards(shown.map(idOf), { list: idOf(list), ...(isEnd ? { where: "bottom" } : beside(after, before)) })
  }
}

// What is dropped on a collapsed list goes to its end: none of its tiles is shown.
function endOf(list) {
  const { left, bottom, width } = list.getBoundingClientRect()
  return { left: left + 4, top: bottom - 2 * THICK, width: width - 8, height: THICK }
}

export function listDrag(list) {
  hold([list.id])
  return { elements: [list], placeAt, drop, letGo: () => letGo([list.id]) }

  function placeAt(x) {
    const others = allLists().filter((one) => one !== list)
    if (!others.length) return undefined
    const back = getComputedStyle(row()).direction === "rtl" ? -1 : 1
    const before = others.find((one) => (middle(one) - x) * back > 0)
    const after = others[(before ? others.indexOf(before) : others.length) - 1]
    const { left, right, top, height } = (before ?? after).getBoundingClientRect()
    const isLeft = Boolean(before) === (back === 1)
    return { after, before, line: { left: (isLeft ? left - 6 : right + 6) - THICK / 2, top, width: THICK, height } }
  }

  async function drop({ after, before }) {
    if (!before === !neighbour(list) && (!before || neighbour(list) === before)) return
    const { scrollTop } = list.querySelector(":scope > ol")
    row().insertBefore(list, before ?? after.nextElementSibling)
    list.querySelector(":scope > ol").scrollTop = scrollTop
    hold([list.id])
    await sendValues(`/list/${idOf(list)}/place`, beside(after, before))
    letGo([list.id])
    settle(list.id)
  }
}

// Both neighbours are named, and what to do without them: they may be gone when the server hears of it.
function beside(after, before) {
  return { ...(after ? { after: idOf(after) } : { where: "top" }), ...(before && { before: idOf(before) }) }
}

const neighbour = (element) => (element.nextElementSibling?.matches(".card, .list[id]") ? element.nextElementSibling : undefined)

function middle(element) {
  const { left, right } = element.getBoundingClientRect()
  return (left + right) / 2
}

function nearest(lists, x) {
  const distance = (list) => {
    const { left, right } = list.getBoundingClientRect()
    return Math.max(left - x, x - right, 0)
  }
  return lists.map((list) => [distance(list), list]).reduce((best, one) => (one[0] < best[0] ? one : best), [Infinity])[1]
}

// Returns the index of the first tile whose middle is below `y`, by halving: thousands of tiles need a dozen looks.
function firstBelow(tiles, y) {
  let [low, high] = [0, tiles.length]
  while (low < high) {
    const at = (low + high) >> 1
    const { top, bottom } = tiles[at].getBoundingClientRect()
    if ((top + bottom) / 2 > y) high = at
    else low = at + 1
  }
  return low
}
