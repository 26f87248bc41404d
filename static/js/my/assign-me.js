// Assigns the cards of rows to the reader, or takes them off again. A second press before the answer means the opposite of the
// first. Of tables, whose rows show whose they are.
import { rowOf } from "./rows.js";

const sent = new Map() // by card: the last change under way, { isOn }

// `send` gets the fields of a form, and returns whether the server accepted them.
export async function sendMine(rows, send) {
  const cards = rows.map((row) => row.dataset.card), change = { isOn: !rows.every(isMine) }
  for (const card of cards) sent.set(card, change)
  const isAccepted = await send({ person: "me", on: Number(change.isOn) })
  for (const card of cards) {
    if (isAccepted) rowOf(card)?.toggleAttribute("data-mine", change.isOn) // until the row is read again
    if (sent.get(card) === change) sent.delete(card)
  }
}

const isMine = (row) => sent.get(row.dataset.card)?.isOn ?? "mine" in row.dataset
