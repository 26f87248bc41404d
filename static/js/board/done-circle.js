// A circle at the left of the tile under the pointer, or with the focus, that marks its card as done. There is one of it for
// mouse and keys; for fingers the tiles in view have their own (touch-tools.js).
import { circleIn, nameCircle, sendDone } from "./done.js";

export default function doneCircle(template) {
  const board = document.querySelector("main.board")
  const circle = template.content.firstElementChild.cloneNode(true)
  const lists = board.querySelector(".lists")

  lists.addEventListener("pointerover", ({ target, pointerType, buttons }) => {
    if (pointerType === "mouse" && !buttons && document.activeElement !== circle) show(target.closest(".list > ol > .card"))
  })
  lists.addEventListener("pointerleave", () => { if (document.activeElement !== circle) circle.remove() })
  lists.addEventListener("focusin", ({ target }) => {
    if (target.matches(".card > .title:focus-visible")) show(target.parentElement)
  })
  lists.addEventListener("click", ({ target }) => {
    const tile = target.closest(".done-circle")?.closest(".card")
    if (tile) toggle(tile)
  })
  show(lists.querySelector(".list > ol > .card:has(> .title:focus-visible)") ?? hovered())

  function hovered() {
    return matchMedia("(hover: hover)").matches ? lists.querySelector(".list > ol > .card:hover") : null
  }

  function show(tile) {
    if (!tile || board.dataset.role === "viewer" || (circleIn(tile) ?? circle) !== circle) return circle.remove()
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
