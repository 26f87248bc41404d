// Assigns cards to the reader, or takes them off again. A second press before the answer means the opposite of the first.
import { sendCards } from "./send-cards.js";

const sent = new Map() // by card: the last change under way, { isOn }

export async function sendMine(cards) {
  const change = { isOn: !cards.every(isMine) }
  for (const card of cards) sent.set(card, change)
  await sendCards(cards, { person: "me", on: Number(change.isOn) })
  for (const card of cards) if (sent.get(card) === change) sent.delete(card)
}

// Returns whether a card is the reader's, once all that was sent is answered. The tile of an open card may be filtered out.
export function isMine(card) {
  const { user } = document.querySelector("main.board").dataset
  const choice = document.querySelector(`#open-card[data-card="${card}"] #person-${user}`)
  return sent.get(card)?.isOn ?? (choice ? choice.ariaChecked === "true" : isOnTile(card, user))
}

// A tile shows people by their initials and names, not by their ids.
function isOnTile(card, user) {
  const mine = document.querySelector(`#members [data-user="${user}"] .avatar`)
  const shown = [...document.getElementById(`card-${card}`)?.querySelectorAll(".avatar") ?? []]
  return shown.some((face) => face.title === mine?.title && face.className === mine.className)
}
