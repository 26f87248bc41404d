// Marks cards as done, or reopens them. It shows at once, on their tiles and on the open card, and is taken back if the server
// refuses. What comes from the server meanwhile is shown around it.
import { sendCards } from "./send-cards.js";

const sent = new Map() // by card: { isDone: as shown, was: as the server last said, number: of changes under way, tile, wasTile }

addEventListener("fragment:placed", () => { for (const card of sent.keys()) showAhead(card) })

export const circleIn = (tile) => tile.querySelector(":scope > .done-circle")
const tileOf = (card) => document.getElementById(`card-${card}`)
const openOf = (card) => document.querySelector(`#open-card[data-card="${card}"]`)

// Returns whether a card is done, as its reader sees it.
export function isDone(card) {
  return Boolean((openOf(card)?.querySelector("#card-title") ?? tileOf(card))?.matches(".done"))
}

export async function sendDone(cards, done) {
  for (const card of cards) begin(card, done)
  const isAccepted = await sendCards(cards, { done: Number(done) })
  for (const card of cards) end(card, isAccepted)
}

function begin(card, done) {
  const tile = tileOf(card)
  if (!sent.has(card)) sent.set(card, { number: 0, tile, wasTile: tile?.matches(".done") })
  const one = sent.get(card)
  one.isDone = done
  one.number += 1
  if (tile) showOnTile(tile, done)
  showAhead(card)
}

function end(card, isAccepted) {
  const one = sent.get(card)
  if ((one.number -= 1) > 0) return
  sent.delete(card)
  if (one.tile && !isAccepted) showOnTile(one.tile, one.wasTile)
  const open = openOf(card)
  if (!open?.querySelector("#completion[data-ahead]")) return
  const isBehind = isAccepted && Number(tileOf(card)?.dataset.version) > Number(open.dataset.version)
  showOnCard(open, isBehind ? one.isDone : one.was)
  delete open.querySelector("#completion").dataset.ahead
}

// A button without the mark `data-ahead` came from the server.
function showAhead(card) {
  const one = sent.get(card)
  const button = openOf(card)?.querySelector("#completion")
  if (!button) return
  if (!("ahead" in button.dataset)) one.was = button.value === "0"
  button.dataset.ahead = ""
  showOnCard(openOf(card), one.isDone)
}

function showOnCard(open, done) {
  const button = open.querySelector("#completion")
  button.value = Number(!done)
  name(button, done)
  open.querySelector("#card-title").classList.toggle("done", done)
  open.querySelector(".stamp")?.toggleAttribute("hidden", !done)
}

function showOnTile(tile, done) {
  tile.classList.toggle("done", done)
  if (circleIn(tile)) nameCircle(circleIn(tile), tile)
}

export const nameCircle = (circle, tile) => name(circle, tile.matches(".done"))

function name(button, done) {
  const words = document.getElementById("done-circle").dataset
  button.title = done ? words.reopen : words.done
  button.setAttribute("aria-label", button.title)
}
