// Assigns the cards of rows to the reader, or takes them off again. Of tables, whose rows show whose they are.
import { lastSent, sendSwitch } from "../kit/last-sent.js";
import { rowOf } from "./rows.js";

// `send` gets the fields of a form, and returns whether the server accepted them.
export async function sendMine(rows, send) {
  const cards = rows.map((row) => row.dataset.card), isOn = !rows.every(isMine)
  if (!await sendSwitch(cards, isOn, () => send({ person: "me", on: Number(isOn) }))) return
  for (const card of cards) rowOf(card)?.toggleAttribute("data-mine", isOn) // until the row is read again
}

const isMine = (row) => lastSent(row.dataset.card) ?? "mine" in row.dataset
