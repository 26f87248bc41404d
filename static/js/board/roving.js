// Moves the focus among the tiles of a board. All tiles together are one stop of the Tab key: the one that had the focus
// last. It keeps the focus when it is replaced. When it is taken away it gives it to the next tile, or to the button that adds a
// card to a list that is empty then.
import { tileMeant } from "./card-meant.js";

const WAYS = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right", Home: "first", End: "last" }
const isRightToLeft = document.documentElement.dir === "rtl"

let lists // the element around all lists
let current // the tile that Tab stops at
let hasFocus = false

export default function roving(board) {
  lists = board.querySelector(".lists")
  for (const tile of tilesIn(lists)) stop(tile, false)
  remember(firstShown())
  board.addEventListener("board:collapsed", () => { if (!current?.checkVisibility()) remember(firstShown()) })
  new MutationObserver(follow).observe(lists, { childList: true, subtree: true })
  lists.addEventListener("focusin", ({ target }) => {
    if (!target.matches(".card > .title")) return
    hasFocus = true
    remember(target.parentElement)
  })
  lists.addEventListener("focusout", ({ target }) => {
    setTimeout(() => { if (target.isConnected) hasFocus = document.activeElement.matches(".card > .title") })
  })
  lists.addEventListener("keydown", (event) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey && !event.shiftKey
    const isHere = WAYS[event.key] && isPlain && event.target.matches(".card > .title") && !event.defaultPrevented
    if (isHere && go(WAYS[event.key])) event.preventDefault()
  })
}

export function currentTile() {
  return current
}

// Focuses the tile in that direction from the one that is meant; without any, the one that had the focus last. Returns whether
// there is any.
export function go(way) {
  const from = tileMeant() ?? current
  if (!from || !way) return false
  if (!tileMeant() && !from.contains(document.activeElement)) return focusTile(from)
  const target = neighbour(from, way)
  if (way === "down" && !target) from.closest("ol").scrollTop += from.offsetHeight // more of the list may load
  return focusTile(target ?? from)
}

function focusTile(tile) {
  tile.querySelector(".title").focus({ preventScroll: true })
  tile.scrollIntoView({ block: "nearest", inline: "nearest" })
  return true
}

// The tile in that direction. In the list beside, it is the one that is nearest in height.
export function neighbour(tile, way) {
  const siblings = shownIn(tile.closest(".list"))
  const at = siblings.indexOf(tile)
  if (way === "down" || way === "up") return siblings[at + (way === "down" ? 1 : -1)]
  if (way === "first" || way === "last") return siblings.at(way === "first" ? 0 : -1)
  const list = listBeside(tile, way, (one) => shownIn(one).length > 0)
  return list && nearest(shownIn(list), middle(tile))
}

export function listBeside(tile, way, suits = () => true) {
  const all = [...lists.querySelectorAll(":scope > .list[id]")].filter((list) => list.checkVisibility())
  const at = all.indexOf(tile.closest(".list"))
  const isBack = (way === "left") !== isRightToLeft
  return isBack ? all.slice(0, at).findLast(suits) : all.slice(at + 1).find(suits)
}

export function nearest(tiles, height) {
  const away = tiles.map((tile) => Math.abs(middle(tile) - height))
  return tiles[away.indexOf(Math.min(...away))]
}

export function middle(tile) {
  const { top, bottom } = tile.getBoundingClientRect()
  return (top + bottom) / 2
}

const tilesIn = (element) => element.querySelectorAll(".card")
const firstShown = () => [...tilesIn(lists)].find((tile) => tile.checkVisibility())
export const shownIn = (list) => [...list.querySelectorAll(":scope > ol > .card")].filter((tile) => tile.checkVisibility())

function stop(tile, isStop) {
  const title = tile?.querySelector(".title")
  const index = isStop ? 0 : -1
  if (title && title.tabIndex !== index) title.tabIndex = index // setting it makes the browser compute styles
}

function remember(tile) {
  if (tile === current) return
  stop(current, false)
  current = tile
  stop(current, true)
}

// Tiles were added, replaced or taken away.
function follow(records) {
  const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.isConnected && node.matches?.(".card, .list"))
  for (const node of added) for (const tile of node.matches(".card") ? [node] : tilesIn(node)) stop(tile, tile === current)
  const isCollapsed = (element) => element.closest(".list[data-collapsed] > ol")
  if (current?.isConnected && !isCollapsed(current)) return
  const again = current && document.getElementById(current.id)
  const isThere = again && !isCollapsed(again)
  const focused = document.activeElement
  const following = isThere ? again : successor(records)
  const button = following ? undefined : addCardWhere(records)
  remember(following ?? firstShown())
  if (isThere || !hasFocus || !(focused === document.body || isCollapsed(focused))) return
  hasFocus = !button
  if (button) button.focus({ preventScroll: true })
  else if (current) focusTile(current)
}

// The button that adds a card to the list whose only tile is gone.
function addCardWhere(records) {
  const emptied = records.find(({ removedNodes }) => [...removedNodes].includes(current))?.target.closest(".list[id]")
  const button = emptied?.querySelector(".newcard > summary")
  return button?.checkVisibility() ? button : undefined
}

// The tile that followed the one that is gone, or else preceded it.
function successor(records) {
  return beside(records, "nextSibling") ?? beside(records, "previousSibling")
}

function beside(records, side) {
  let node = current
  do node = records.find(({ removedNodes }) => [...removedNodes].includes(node))?.[side]
  while (node && !node.isConnected)
  return node?.matches?.(".card") ? node : undefined
}
