// Puts fragments of a board where they belong, from answers to forms and from the socket alike. Id, list and position
// decide where, and an older version never replaces a newer one, so a fragment may come twice or late. `byForce` is for
// the fragments of a restored backup, whose versions cannot be compared with those that the page shows.
import { isBusy, merge } from "./busy.js";
import { formatTimes } from "./times.js";
import { showToast } from "./toasts.js";

const board = () => document.querySelector("main.board")
const placers = [
  [".card", placeTile],
  [".list", placeList],
  ["#board-head, #members", placeAsIs],
  [".offer", placeOffer],
  ["#open-card", placeCard],
  [".card-parts", placeParts],
  ["[data-force]", placeByForce],
  ["template[data-removed]", (marker) => remove(marker.dataset.removed, { close: true })],
  [".toast", (toast) => showToast(toast.querySelector("span").textContent, toast.querySelector("button"))],
]

export function fragmentsOf(html) {
  const template = document.createElement("template")
  template.innerHTML = html
  return [...template.content.children]
}

// Returns the element that is on the page now, if any.
export function place(element, { byForce = false } = {}) {
  formatTimes(element)
  const placed = placers.find(([selector]) => element.matches(selector))?.[1](element, byForce)
  if (placed) window.htmx.trigger(placed, "htmx:load", { elt: placed }) // main.js starts its behaviours
  return placed
}

// Replaces everything on the board: removes lists and cards that are not among the fragments.
export function placeEverything(elements, options) {
  const tiles = elements.flatMap((element) => [...element.querySelectorAll(".card")])
  const kept = new Set([...elements, ...tiles].map((element) => element.id))
  for (const element of elements) place(element, options)
  for (const tile of tiles) place(tile, options)
  for (const shown of document.querySelectorAll(".list[id], .list > ol > .card, .offer")) if (!kept.has(shown.id)) remove(shown.id)
}

export function remove(id, { close = false } = {}) {
  const element = document.getElementById(id)
  const list = element?.closest(".list")
  element?.remove()
  if (list && list !== element) count(list)
  if (close && `card-${document.getElementById("open-card")?.dataset.card}` === id) document.getElementById("card-dialog").close()
}

function placeTile(tile, byForce) {
  const old = document.getElementById(tile.id)
  if (old && isNewer(old, tile) && !byForce) return old
  const from = old?.closest(".list")
  const into = document.getElementById(`list-${tile.dataset.list}`)
  const hadFocus = old?.contains(document.activeElement)
  old?.remove()
  into?.querySelector("ol").insertBefore(tile, following(into.querySelectorAll("ol > .card"), tile))
  if (hadFocus) tile.querySelector(".title")?.focus({ preventScroll: true })
  for (const list of new Set([from, into])) if (list) count(list)
  return into && tile
}

function placeList(list, byForce) {
  const row = board().querySelector(".lists")
  const old = document.getElementById(list.id)
  if (old && isNewer(old, list) && !byForce) return old
  const others = [...row.querySelectorAll(":scope > .list[id]")].filter((one) => one !== old)
  const next = following(others, list) ?? row.querySelector(":scope > .no-lists")
  if (!old) {
    row.insertBefore(list, next)
    return count(list)
  }
  for (const { name, value } of list.attributes) old.setAttribute(name, value)
  merge(old.querySelector("header"), list.querySelector("header"))
  if (old.nextElementSibling !== next) row.insertBefore(old, next)
  return count(old)
}

function placeAsIs(fragment) {
  const old = document.getElementById(fragment.id)
  if (isBusy(old)) return old
  old.replaceWith(fragment)
  const me = fragment.querySelector(`[data-user="${board().dataset.user}"]`)
  if (me) board().dataset.role = me.dataset.role
  return fragment
}

// The fragment is the same for all readers of the board, and shown to the one whom it is offered to.
function placeOffer(offer) {
  document.getElementById(offer.id)?.remove()
  if (offer.dataset.to !== board().dataset.user) return undefined
  board().querySelector(".lists").before(offer)
  return offer
}

function placeCard(card) {
  const old = document.getElementById("open-card")
  if (old?.dataset.card !== card.dataset.card) return undefined
  merge(old, card)
  return document.getElementById("open-card")
}

// Replaces the parts of the open card that changed, adds new ones by their position, and removes what is gone. A changed
// part that is not shown, such as an earlier comment, stays out.
function placeParts(parts) {
  const card = document.getElementById("open-card")
  const { card: id, version, title } = parts.dataset
  if (card?.dataset.card !== id || (version && Number(version) < Number(card.dataset.version))) return undefined
  for (const part of [...parts.children]) placePart(card, part)
  if (version) Object.assign(card.dataset, { version, title })
  return card
}

function placePart(card, part) {
  const shown = (name) => card.querySelector(`[data-part="${name}"]`)
  if (part.matches("template")) return shown(part.dataset.gone)?.remove()
  const old = shown(part.dataset.part)
  if (old) return merge(old, part)
  const into = "new" in part.dataset ? shown(part.dataset.in) : null
  if (into && !("later" in into.dataset)) into.insertBefore(part, following(into.children, part))
}

function placeByForce(part) {
  document.querySelector(`#open-card [data-part="${part.dataset.part}"]`)?.replaceWith(part)
  part.querySelector("textarea")?.focus()
  return part
}

const isNewer = (shown, fragment) => Number(shown.dataset.version) > Number(fragment.dataset.version)

// Positions are hexadecimal and too large for a Number.
function position({ dataset: { position: text } }) {
  return text.startsWith("-") ? -BigInt(`0x${text.slice(1)}`) : BigInt(`0x${text}`)
}

function following(siblings, element) {
  const at = position(element)
  return [...siblings].find((sibling) => position(sibling) > at) ?? null
}

function count(list) {
  list.querySelector(".count").textContent = list.querySelector("ol").children.length
  return list
}
