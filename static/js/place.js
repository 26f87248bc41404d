// Puts fragments of a board where they belong, from answers to forms and from the socket alike. Id, list and position
// decide where, and an older version never replaces a newer one, so a fragment may come twice or late.
import { isBusy, merge } from "./busy.js";
import { formatTimes } from "./times.js";
import { showToast } from "./toasts.js";

const board = () => document.querySelector("main.board")
const placers = [
  [".card", placeTile],
  [".list", placeList],
  ["#board-head, #members", placeAsIs],
  ["#open-card", placeCard],
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
export function place(element) {
  formatTimes(element)
  const placed = placers.find(([selector]) => element.matches(selector))?.[1](element)
  if (placed) window.htmx.trigger(placed, "htmx:load", { elt: placed }) // main.js starts its behaviours
  return placed
}

// Replaces everything on the board: removes lists and cards that are not among the fragments.
export function placeEverything(elements) {
  const tiles = elements.flatMap((element) => [...element.querySelectorAll(".card")])
  const kept = new Set([...elements, ...tiles].map((element) => element.id))
  for (const element of elements) place(element)
  for (const tile of tiles) place(tile)
  for (const shown of document.querySelectorAll(".list[id], .list > ol > .card")) if (!kept.has(shown.id)) remove(shown.id)
}

export function remove(id, { close = false } = {}) {
  const element = document.getElementById(id)
  const list = element?.closest(".list")
  element?.remove()
  if (list && list !== element) count(list)
  if (close && `card-${document.getElementById("open-card")?.dataset.card}` === id) document.getElementById("card-dialog").close()
}

function placeTile(tile) {
  const old = document.getElementById(tile.id)
  if (old && isNewer(old, tile)) return old
  const from = old?.closest(".list")
  const into = document.getElementById(`list-${tile.dataset.list}`)
  const hadFocus = old?.contains(document.activeElement)
  old?.remove()
  into?.querySelector("ol").insertBefore(tile, following(into.querySelectorAll("ol > .card"), tile))
  if (hadFocus) tile.querySelector(".title")?.focus({ preventScroll: true })
  for (const list of new Set([from, into])) if (list) count(list)
  return into && tile
}

function placeList(list) {
  const row = board().querySelector(".lists")
  const old = document.getElementById(list.id)
  if (old && isNewer(old, list)) return old
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

function placeCard(card) {
  const old = document.getElementById("open-card")
  if (old?.dataset.card !== card.dataset.card) return undefined
  merge(old, card)
  return document.getElementById("open-card")
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
