// Asks for the cover colour of one card or several.
import { sendCards } from "./send-cards.js";
import { isBeside } from "../kit/beside.js";

export default function askCover(cards) {
  const dialog = document.getElementById("cover-dialog")
  const tile = cards.length === 1 && document.getElementById(`card-${cards[0]}`)
  for (const swatch of dialog.querySelectorAll(".swatch")) {
    swatch.setAttribute("aria-pressed", String(Boolean(tile && tile.querySelector(`.cover.hue-${swatch.dataset.cover}`))))
  }
  dialog.onclick = (event) => {
    const swatch = event.target.closest("[data-cover]")
    if (swatch || isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close()
    if (swatch) sendCards(cards, { cover: swatch.dataset.cover })
  }
  dialog.showModal()
}
