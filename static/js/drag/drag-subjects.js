// What is dragged: tiles or a list. Says where it would be dropped, and drops it there.
import { announce } from "../kit/announce.js";
import { hold, letGo } from "../board/held.js";
import { moveTile, settle } from "../board/optimistic.js";
import { putBefore } from "../board/place-lists.js";
import { sendCards } from "../board/send-cards.js";
import { sendValues } from "../kit/send-forms.js";
import { showToast } from "../kit/toasts.js";
import { whereabouts } from "../board/whereabouts.js";

const row = () => document.querySelector("main.board > .lists")
const allLists = () => [...row().querySelectorAll(":scope > .list[id]")]
const idOf = (element) => element?.id.replace(/^(card|list)-/, "")

// Drags this tile, or all selected ones if it is one of them. A finger has no Ctrl+Z: it gets the message with Undo, also for a list.
export function cardsDrag(tile, isTouch) {
  const selected = tile.matches(".selected") ? [...document.querySelectorAll(".list > ol > .card.selected")] : []
  const elements = [tile, ...selected.filter((one) => one !== tile)]
  const shown = selected.length ? selected : [tile] // in the order in which they are shown, which the copy is not about
  const ids = shown.map(({ id }) => id)
  const from = { list: tile.closest(".list"), room: neighbour(tile) ?? tile.parentElement }
  hold(ids)
  return { elements, from, placeAt, drop, letGo: () => letGo(ids) }

  function placeAt(x, y) {
    const list = nearest(allLists(), x)
    const column = list?.querySelector(":scope > ol")
    if (!column) return undefined
    if ("collapsed" in list.dataset) return { list, isEnd: true } // none of its tiles is shown
    const { top, bottom } = column.getBoundingClientRect()
    const tiles = [...column.querySelectorAll(":scope > .card:not(.lifted)")]
    const at = firstBelow(tiles, Math.min(Math.max(y, top), bottom))
    const rest = (tilesThere) => tilesThere.find((one) => !shown.includes(one))
    const [after, before] = [rest(tiles.slice(0, at).reverse()), rest(tiles.slice(at))]
    return { list, after, before, scroller: column, room: tiles[at] ?? column }
  }

  async function drop({ list, after, before, isEnd }) {
    const isThere = shown.length === 1 && tile.closest(".list") === list && neighbour(tile) === before
    if (isThere) return
    for (const one of shown) moveTile(one, list, before)
    if (!isTouch) announce(whereabouts(tile, shown.length))
    const place = isEnd ? { where: "bottom" } : beside(after, before)
    const isAccepted = await sendCards(shown.map(idOf), { list: idOf(list), ...!isTouch && { quiet: 1 }, ...place })
    const first = document.getElementById(ids[0])
    if (!isTouch && isAccepted && first && !hasLanded(first, list, after, before)) showToast(whereabouts(first, shown.length))
  }

  // Whether they are in the list, and beside one of the two that they were dropped between. Others may have moved both away.
  function hasLanded(first, list, after, before) {
    const isBeside = after?.id === first.previousElementSibling?.id || before?.id === document.getElementById(ids.at(-1))?.nextElementSibling?.id
    return first.closest(".list") === list && isBeside
  }
}

export function listDrag(list, isTouch) {
  const from = { room: neighbour(list) ?? row().querySelector(":scope > .list:not([id])") }
  hold([list.id])
  return { elements: [list], from, placeAt, drop, letGo: () => letGo([list.id]) }

  function placeAt(x) {
    const others = allLists().filter((one) => one !== list)
    if (!others.length) return undefined
    const back = getComputedStyle(row()).direction === "rtl" ? -1 : 1
    const before = others.find((one) => (middle(one) - x) * back > 0)
    const after = others[(before ? others.indexOf(before) : others.length) - 1]
    return { after, before, room: before ?? after, isAfter: !before }
  }

  async function drop({ after, before }) {
    if (!before === !neighbour(list) && (!before || neighbour(list) === before)) return
    const column = list.querySelector(":scope > ol")
    const { scrollTop } = column
    putBefore(row(), list, before ?? after.nextElementSibling)
    column.scrollTop = scrollTop
    hold([list.id])
    await sendValues(`/list/${idOf(list)}/place`, { ...beside(after, before), ...isTouch && { told: 1 } })
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
export function firstBelow(tiles, y) {
  let [low, high] = [0, tiles.length]
  while (low < high) {
    const at = (low + high) >> 1
    const { top, bottom } = tiles[at].getBoundingClientRect()
    if ((top + bottom) / 2 > y) high = at
    else low = at + 1
  }
  return low
}
