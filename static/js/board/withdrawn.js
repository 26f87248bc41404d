// Takes everything off the page of a board to which its reader's access has ended. An open card in which something was typed stays
// until it is closed, so that the text can be copied.
import { hasUnsavedText } from "../kit/busy.js";
import { tellGone } from "../card/gone-card.js";

export default function withdraw(board) {
  const card = document.getElementById("open-card"), kept = card && hasUnsavedText(card) ? card.closest("dialog") : undefined
  if (kept) tellGone(card)
  for (const dialog of board.querySelectorAll("dialog[open]")) if (dialog !== kept) dialog.close()
  board.querySelector(".lists").replaceChildren()
  board.querySelector("#members")?.replaceChildren()
}
