// Moves an item of a checklist on the open card, which shows it at once. Until the server has answered, the card stays as it is.
import { sendLast } from "../board/last-place.js";
import { settlePart } from "../board/place.js";
import { putBefore } from "../board/place-lists.js";
import { announce } from "../kit/announce.js";
import { sendValues } from "../kit/send-forms.js";

export const CARD = "open-card" // what is held meanwhile

// Moves it up or down by one place, over the ends of its checklist into the ones beside it.
export function stepItem(item, way) {
  const place = way === "up" ? above(item) : below(item)
  if (place) moveItem(item, place.into, place.before)
}

// Puts the item into a checklist's list of items, before another one or else at the end of what is shown.
export async function moveItem(item, into, before) {
  const { part } = item.dataset
  putBefore(into, item, before)
  item.scrollIntoView({ block: "nearest" })
  announce(whereabouts(item))
  const isLast = await sendLast(part, placeOf(item), CARD, (place) => sendValues(`/item/${idIn(part)}/place`, place))
  const shown = isLast && document.querySelector(`#open-card [data-part="${part}"]`)
  if (shown) settlePart(shown)
}

function above(item) {
  const before = item.previousElementSibling
  return before ? { into: item.parentElement, before } : beside(item, -1, () => null)
}

function below(item) {
  const after = item.nextElementSibling
  if (after) return { into: item.parentElement, before: after.nextElementSibling }
  return isCut(item.parentElement) ? undefined : beside(item, 1, (items) => items.firstElementChild)
}

function beside(item, way, before) {
  const all = [...document.querySelectorAll("#open-card .checklist > .items")]
  const into = all[all.indexOf(item.parentElement) + way]
  return into && { into, before: before(into) }
}

// Whether items follow that the page has not read.
const isCut = (items) => Boolean(items.parentElement.querySelector(":scope > p > [data-more]"))

// Both neighbours are named, because either may be gone by the time the server hears of it.
function placeOf(item) {
  const [after, before] = [item.previousElementSibling, item.nextElementSibling].map((one) => one && idIn(one.dataset.part))
  return { checklist: idIn(item.parentElement.dataset.part), ...(after ? { after } : { where: "top" }), ...(before && { before }) }
}

export const idIn = (part) => part.slice(part.indexOf("-") + 1)

function whereabouts(item) {
  const checklist = item.closest(".checklist")
  const items = [...item.parentElement.children]
  const words = checklist.parentElement.dataset.moved.replace("PLACE", items.indexOf(item) + 1).replace("ALL", items.length)
  return words.replace("LIST", () => checklist.querySelector("h2").firstChild.textContent.trim())
}
