// A circle at the left of the tile that is meant, which marks its card as done. There is one of it for
// mouse and keys; for fingers the tiles in view have their own (touch-tools.js).
import { tileMeant } from "./card-meant.js";
import { circleIn, nameCircle, sendDone } from "./done.js";

export default function doneCircle(template) {
  const board = document.querySelector("main.board")
  const circle = template.content.firstElementChild.cloneNode(true)
  const lists = board.querySelector(".lists")

  lists.addEventListener("board:meant", ({ detail }) => show(detail.tile))
  lists.addEventListener("click", ({ target }) => {
    const tile = target.closest(".done-circle")?.closest(".card")
    if (tile) toggle(tile)
  })
  show(tileMeant())

  function show(tile) {
    if (!tile || board.dataset.role === "viewer" || document.querySelector("dialog:modal") || (circleIn(tile) ?? circle) !== circle) return circle.remove()
    nameCircle(circle, tile)
    if (circle.parentElement !== tile) tile.append(circle)
    return undefined
  }

  async function toggle(tile) {
    const hadFocus = document.activeElement === circleIn(tile)
    await sendDone([tile.id.slice("card-".length)], !tile.matches(".done"))
    const now = document.getElementById(tile.id)
    if (hadFocus && now) now.querySelector(".title").focus({ preventScroll: true })
  }
}
