// Puts fragments of a board where they belong, from answers to forms and from the socket alike. Id, list and position
// decide where (place-lists.js), and an older version never replaces a newer one, so a fragment may come twice or late.
// `byForce` is for the fragments of a restored backup, whose versions cannot be compared with those that the page shows.
import { tellBack } from "../card/gone-card.js";
import { isBusy, merge, swap } from "../kit/busy.js";
import { waits } from "./held.js";
import { following, placeFresh, placeList, placeTile, putBefore, remove, setTotal } from "./place-lists.js";
import { tellPlaced } from "../kit/placed.js";
import { formatTimes } from "../kit/times.js";
import { showToast } from "../kit/toasts.js";

const board = () => document.querySelector("main.board")
const placers = [
  [".card", placeTile],
  [".list", placeList],
  ["#board-head, #members, #board-labels", placeAsIs],
  ["#saved-filters", placeSaved],
  [".offer", placeOffer],
  ["#open-card", placeCard],
  [".card-parts", placeParts],
  ["[data-force]", placeByForce],
  ["template[data-total-of]", ({ dataset }) => setTotal(document.getElementById(dataset.totalOf), dataset)],
  ["template[data-removed]", (marker) => remove(marker.dataset.removed, { close: true })],
  ["template[data-left-out]", (marker) => remove(marker.dataset.leftOut)],
  [".toast", (toast) => showToast(toast.querySelector("span").textContent, ...toast.querySelectorAll("button"))],
]

export function fragmentsOf(html) {
  const template = document.createElement("template")
  template.innerHTML = html
  return [...template.content.children]
}

// Returns the element that is on the page now, if any.
export function place(element, { byForce = false } = {}) {
  formatTimes(element)
  const placed = placers.find(([selector]) => element.matches(selector))?.[1](element, byForce, () => place(element, { byForce }))
  if (placed) tellPlaced(placed)
  return placed
}

// Places a part of a list: what is new on the page all at once, the rest tile by tile. Returns what is new.
export function placeTiles(list, tiles) {
  formatTimes(...tiles)
  const fresh = placeFresh(list, tiles)
  for (const tile of tiles) if (!fresh.includes(tile)) place(tile)
  const row = list.querySelector("ol")
  if (fresh.length) tellPlaced(row)
  return fresh
}

function placeAsIs(fragment) {
  const old = document.getElementById(fragment.id)
  if (isBusy(old)) return old
  swap(old, fragment)
  if (fragment.dataset.background) document.body.dataset.background = fragment.dataset.background
  const me = fragment.querySelector(`[data-user="${board().dataset.user}"]`)
  if (me) board().dataset.role = me.dataset.role
  return fragment
}

function placeSaved(filters) {
  const old = document.getElementById(filters.id)
  if (old) merge(old, filters)
  return document.getElementById(filters.id)
}

// The fragment is the same for all readers of the board, and shown to the one whom it is offered to.
function placeOffer(offer) {
  document.getElementById(offer.id)?.remove()
  if (offer.dataset.to !== board().dataset.user) return undefined
  board().querySelector(".lists").before(offer)
  return offer
}

function placeCard(card, byForce, again) {
  if (waits("open-card", again)) return undefined
  const old = document.getElementById("open-card")
  if (old?.dataset.card !== card.dataset.card) return undefined
  merge(old, card)
  const shown = document.getElementById("open-card")
  tellBack(shown)
  return shown
}

// Replaces the parts of the open card that changed, adds new ones by their position, and removes what is gone. A changed
// part that is not shown, such as an earlier comment, stays out.
function placeParts(parts, byForce, again) {
  if (waits("open-card", again)) return undefined
  const card = document.getElementById("open-card")
  const { card: id, version, title } = parts.dataset
  if (card?.dataset.card !== id || (version && Number(version) < Number(card.dataset.version))) return undefined
  for (const part of [...parts.children]) placePart(card, part)
  if (version) Object.assign(card.dataset, { version, title })
  return card
}

function placePart(card, part) {
  const shown = (name) => card.querySelector(`[data-part="${name}"]`)
  if (part.matches("template")) return takeAway(shown(part.dataset.gone))
  const old = shown(part.dataset.part)
  if (old) {
    merge(old, part)
    return part.matches(".item") ? settlePart(shown(part.dataset.part)) : undefined
  }
  const into = "new" in part.dataset ? shown(part.dataset.in) : null
  if (into && !("later" in into.dataset)) into.insertBefore(part, following(into.children, part))
  return undefined
}

// What has the focus gives it to what is beside it.
function takeAway(part) {
  const near = part?.contains(document.activeElement) ? [part.nextElementSibling, part.previousElementSibling, part.parentElement.parentElement] : []
  part?.remove()
  const controls = near.flatMap((one) => [...one?.querySelectorAll("button, summary, a[href]") ?? []])
  controls.find((one) => one.checkVisibility())?.focus({ preventScroll: true })
}

// Puts a part of the open card where its attributes say. It is gone if they name what the card does not show.
export function settlePart(part) {
  const into = document.querySelector(`#open-card [data-part="${part.dataset.in}"]`)
  const next = into && following([...into.children].filter((one) => one !== part), part)
  if (!into) part.remove()
  else if (part.parentElement !== into || part.nextElementSibling !== next) putBefore(into, part, next)
}

function placeByForce(part) {
  document.querySelector(`#open-card [data-part="${part.dataset.part}"]`)?.replaceWith(part)
  part.querySelector("textarea")?.focus()
  return part
}
