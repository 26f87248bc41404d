// Places lists and their tiles. Of a list with many cards the page has a part: all its cards before the position data-next.
// data-more says how many follow, and data-unread that none has been read yet (more-cards.js).
import { merge } from "../kit/busy.js";
import { isHeld, waits } from "./held.js";

const came = new WeakMap() // by tile: its HTML

// `again` places the tile once it is no longer held.
export function placeTile(tile, byForce, again) {
  const old = document.getElementById(tile.id)
  if (waits(tile.id, again) || (old && isNewer(old, tile) && !byForce)) return old
  const from = old?.closest(".list")
  const into = document.getElementById(`list-${tile.dataset.list}`)
  const isShown = into && isInPart(into, tile)
  if (isShown && isAsShown(old, tile) && isInPlace(tile, old, into)) return old
  const focused = old?.contains(document.activeElement) && document.activeElement
  if (isShown) putBefore(into.querySelector("ol"), tile, followingIn(into, tile, old))
  if (focused) (old === tile ? focused : tile.querySelector(".title"))?.focus({ preventScroll: true })
  if (old !== tile || !isShown) old?.remove() // after the focus has left it: else the browser looks for another place for it
  for (const list of new Set([from, into])) if (list) count(list)
  return isShown ? tile : undefined
}

// Places tiles of one list that are not on the page yet, as placeTile does one, and returns them.
export function placeFresh(list, tiles) {
  const row = list.querySelector("ol")
  const shown = [...row.children]
  const isFresh = (tile) => !isHeld(tile.id) && !document.getElementById(tile.id) && isInPart(list, tile) && list.id === `list-${tile.dataset.list}`
  const fresh = tiles.filter(isFresh)
  for (const tile of fresh) {
    came.set(tile, tile.outerHTML)
    row.insertBefore(tile, following(shown, tile))
  }
  count(list)
  return fresh
}

export function placeList(list, byForce, again) {
  const row = document.querySelector("main.board .lists")
  const old = document.getElementById(list.id)
  if (waits(list.id, again) || (old && isNewer(old, list) && !byForce)) return old
  const others = [...row.querySelectorAll(":scope > .list[id]")].filter((one) => one !== old)
  const next = following(others, list) ?? row.querySelector(":scope > .no-lists")
  const isFirst = row.querySelector(":scope > .no-lists")?.contains(document.activeElement) // whose button will be hidden
  row.removeAttribute("data-empty")
  if (!old) {
    row.insertBefore(list, next)
    if (isFirst) list.querySelector("footer summary")?.focus({ preventScroll: true })
    return count(list)
  }
  for (const { name, value } of list.attributes) old.setAttribute(name, value)
  merge(old.querySelector("header"), list.querySelector("header"))
  if (old.nextElementSibling !== next) putBefore(row, old, next)
  return count(old)
}

export function remove(id, { close = false } = {}) {
  if (waits(id, () => remove(id, { close }))) return
  const element = document.getElementById(id)
  const list = element?.closest(".list")
  if (list === element) giveFocusOn(list)
  if (list === element && !close) list?.dispatchEvent(new CustomEvent("list:leaves", { bubbles: true }))
  element?.remove()
  const row = document.querySelector("main.board .lists")
  if (list === element) row.toggleAttribute("data-empty", !row.querySelector(":scope > .list[id]"))
  if (list && list !== element) count(list)
  if (close && `card-${document.getElementById("open-card")?.dataset.card}` === id) document.getElementById("card-dialog").close()
}

// A list that is taken away gives the focus to the list beside it, or else to what adds one. Tiles see to themselves (roving.js).
function giveFocusOn(list) {
  const focused = document.activeElement
  if (!list?.contains(focused) || focused.matches(".card > .title")) return
  const near = [list.nextElementSibling, list.previousElementSibling, list.parentElement.lastElementChild]
  const controls = near.flatMap((one) => [...one?.querySelectorAll(":scope > header :is(button, summary), .newlist > summary") ?? []])
  controls.find((one) => one.checkVisibility())?.focus({ preventScroll: true })
}

// Lets a list show the same part of its cards as `fresh` does, whose tiles are placed afterwards.
export function takePart(list, { dataset }, footer) {
  for (const name of ["more", "next", "unread", "all"]) {
    if (dataset[name] === undefined) delete list.dataset[name]
    else list.dataset[name] = dataset[name]
  }
  if (footer && !list.querySelector("footer")) list.querySelector("ol").after(footer)
  count(list)
}

// The number of cards in a list of which the page has a part comes from the server. Of others the page knows it best.
// `all`: how many cards it has with those that the filter of the page leaves out. Without it `total` is of all of them.
export function setTotal(list, { total, all }) {
  if (!list) return
  const isFiltered = "all" in list.dataset
  if (isFiltered) list.dataset.all = all ?? total
  if (hasMore(list) && !(isFiltered && all === undefined)) list.dataset.more = Math.max(0, total - list.querySelector("ol").children.length)
  count(list)
}

export const hasMore = ({ dataset }) => "unread" in dataset || "next" in dataset

function isInPart({ dataset: { unread, next } }, tile) {
  return unread === undefined && (next === undefined || position(tile) < parsed(next))
}

// Scripts mark the tiles on the page, so what came is compared with what came before.
function isAsShown(old, tile) {
  if (old === tile) return true
  const html = tile.outerHTML
  const isSame = old && (came.get(old) ?? old.outerHTML) === html
  came.set(tile, html)
  return isSame
}

function isInPlace(tile, old, list) {
  return old.parentElement === list.querySelector("ol") && followingIn(list, tile, old) === old.nextElementSibling
}

const followingIn = (list, tile, old) => following([...list.querySelector("ol").children].filter((one) => one !== old), tile)

// A browser that can moves an element without taking it out, which costs the page more time, and the element the focus.
export function putBefore(row, element, next) {
  const focused = element.contains(document.activeElement) ? document.activeElement : null
  if (row.moveBefore && element.isConnected) row.moveBefore(element, next)
  else row.insertBefore(element, next)
  if (focused !== null && focused !== document.activeElement) focused.focus({ preventScroll: true })
}

// Making room between two rows leaves them at their version, and gives them higher positions than before.
function isNewer(shown, fragment) {
  const ahead = Number(shown.dataset.version) - Number(fragment.dataset.version)
  return ahead > 0 || (ahead === 0 && shown.dataset.list === fragment.dataset.list && position(shown) > position(fragment))
}

const position = ({ dataset }) => parsed(dataset.position)

// Positions are hexadecimal and too large for a Number.
function parsed(text) {
  return text.startsWith("-") ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`)
}

// Returns the first sibling behind which the element does not belong. All are in order but those that are held.
export function following(all, element) {
  const siblings = isHeld() ? [...all].filter(({ id }) => !isHeld(id)) : all
  const at = position(element)
  let low = 0
  let high = siblings.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (position(siblings[middle]) > at) high = middle
    else low = middle + 1
  }
  return siblings[low] ?? null
}

// How many cards a list shows, with those that are not loaded yet.
export const cardsOf = (list) => list.querySelector("ol").children.length + Number(list.dataset.more ?? 0)

// Shows how many cards a list has, and its limit (templates/web/partials/board/list_count.html), which counts those too that the
// filter leaves out.
export function count(list) {
  const { all, limit } = list.dataset
  const { of, limited, within, over } = list.parentElement.dataset
  const number = cardsOf(list)
  list.toggleAttribute("data-none", number === 0)
  const words = all === undefined ? String(number) : of.replace("{}", number).replace("{all}", all)
  const isOver = Boolean(limit) && Number(all ?? number) > Number(limit)
  const shown = list.querySelector(".count"), [short, spoken] = shown.querySelectorAll("span")
  shown.classList.toggle("over", isOver)
  if (!short) shown.textContent = words
  else if (limit) short.textContent = all === undefined ? limited.replace("{}", number).replace("{limit}", limit) : words
  if (spoken && limit) spoken.textContent = (isOver ? over : within).replace("{}", words).replace("{limit}", limit)
  return list
}
