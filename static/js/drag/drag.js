// Drags tiles and lists. Nothing is registered for a tile: one listener hears the presses on all of them (presses.js).
import { hearPresses } from "./presses.js";

export default function drag(board) {
  hearPresses(board.querySelector(".lists"), subjectOf, () => import("./drag-now.js"))

  function subjectOf(pressed) {
    if (board.dataset.role === "viewer") return undefined
    const tile = pressed.closest(".list[id] > ol > .card")
    const head = pressed.closest(".list[id] > header")
    return tile ?? head?.parentElement
  }
}
