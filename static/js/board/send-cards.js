// Sends one change of one or many cards of the board (web/boards/cards.py).
import { hold, letGo } from "./held.js";
import { settle } from "./optimistic.js";
import { sendValues } from "../kit/send-forms.js";

// `fields` say what to do with the cards: { done: 1 }, or { list, after, before }. Returns whether the server accepted. If
// it did not, its sentence is shown as a message. Then each tile lies where the server says, or where it was.
export async function sendCards(ids, fields) {
  const tiles = ids.map((id) => `card-${id}`)
  const { board } = document.querySelector("main.board").dataset
  hold(tiles)
  const accepted = await sendValues(`/board/${board}/cards`, { card: ids, ...fields })
  letGo(tiles)
  tiles.forEach(settle)
  return accepted
}
