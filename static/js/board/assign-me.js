// Assigns cards to the reader, or takes them off again.
import { lastSent, sendSwitch } from "../kit/last-sent.js";
import { sendCards } from "./send-cards.js";

export async function sendMine(cards) {
  const isOn = !cards.every(isMine)
  await sendSwitch(cards, isOn, () => sendCards(cards, { person: "me", on: Number(isOn) }))
}

// Returns whether a card is the reader's, once all that was sent is answered. The tile of an open card may be filtered out.
export function isMine(card) {
  const { user } = document.querySelector("main.board").dataset
  const choice = document.querySelector(`#open-card[data-card="${card}"] #person-${user}`)
  return lastSent(card) ?? (choice ? choice.ariaChecked === "true" : isOnTile(card, user))
}

// A tile shows people by their initials and names, not by their ids.
function isOnTile(card, user) {
  const mine = document.querySelector(`#members [data-user="${user}"] .avatar`)
  const shown = [...document.getElementById(`card-${card}`)?.querySelectorAll(".avatar") ?? []]
  return shown.some((face) => face.title === mine?.title && face.className === mine.className)
}
