// Alt+arrows move the tile that has the focus: up, down, or to the list beside at the same height. It moves at once.
import { announce } from "../kit/announce.js";
import { sendLast } from "./last-place.js";
import { readOn } from "./more-cards.js";
import { moveTile, settle } from "./optimistic.js";
import { listBeside, middle, neighbour, shownIn } from "./roving.js";
import { sendCards } from "./send-cards.js";
import { showError } from "../kit/toasts.js";
import { whereabouts } from "./whereabouts.js";

const WAYS = { ArrowDown: "down", ArrowUp: "up", ArrowLeft: "left", ArrowRight: "right" }
const SIDES = ["left", "right"]

export default function nudge(board) {
  board.addEventListener("keydown", (event) => {
    const isAsked = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey && event.target.matches(".card > .title")
    if (!WAYS[event.key] || !isAsked || board.dataset.role === "viewer") return
    event.preventDefault() // Alt+Left would leave the page
    move(event.target.closest(".card"), WAYS[event.key])
  })

  async function move(pressed, way) {
    const tile = await readBeside(pressed, way)
    const target = tile && placeIn(tile, way)
    if (!target) return
    moveTile(tile, target.list, target.before)
    tile.scrollIntoView({ block: "nearest", inline: "nearest" })
    announce(whereabouts(tile))
    send(tile)
  }

  // Reads the list beside first if none of its cards has been read yet. Returns the tile as it is then, or nothing.
  async function readBeside(tile, way) {
    const beside = SIDES.includes(way) && listBeside(tile, way, isExpanded)
    if (!beside || !("unread" in beside.dataset)) return tile
    try {
      await readOn(board, beside, new AbortController().signal)
    } catch {
      showError(board.dataset.failed)
      return undefined
    }
    return document.getElementById(tile.id)
  }
}

// Returns the list, and the tile in it that comes next; undefined if there is no place in that direction.
function placeIn(tile, way) {
  const list = tile.closest(".list")
  if (way === "up") return before(list, neighbour(tile, "up"))
  if (way === "down") {
    const below = neighbour(tile, "down")
    return below && { list, before: below.nextElementSibling }
  }
  const beside = listBeside(tile, way, isExpanded)
  const tiles = beside && shownIn(beside)
  if (!beside || "unread" in beside.dataset) return undefined
  return { list: beside, before: tiles.find((one) => middle(one) >= middle(tile)) ?? (beside.dataset.more > 0 ? tiles.at(-1) : null) }
}

const isExpanded = ({ dataset }) => !("collapsed" in dataset)
const before = (list, tile) => tile && { list, before: tile }

async function send(tile) {
  const { id } = tile
  const isLast = await sendLast(id, placeOf(tile), id, (place) => sendCards([id.slice("card-".length)], place))
  if (isLast) settle(id)
}

// Both neighbours are named, because either may be moved away meanwhile.
function placeOf(tile) {
  const near = { after: tile.previousElementSibling, before: tile.nextElementSibling }
  const named = Object.entries(near).filter(([, one]) => one?.matches(".card")).map(([side, one]) => [side, one.id.slice("card-".length)])
  return { list: tile.closest(".list").id.slice("list-".length), quiet: 1, ...(named.length ? Object.fromEntries(named) : { where: "bottom" }) }
}
