// Stars a board, or takes the star away. The button says what a click does, and so does its name. On the start page a board
// with a new star goes to the front; one that lost it stays until the next load, so that a slip is easily undone.
import { keep } from "./keep.js";

export default function star(button) {
  button.addEventListener("click", async (event) => {
    event.preventDefault()
    const isStarred = button.value === "1"
    show(isStarred)
    if (await keep(button.getAttribute("formaction"), "starred", isStarred, show) && isStarred) toFront(button)
  })

  function show(isStarred) {
    button.value = Number(!isStarred)
    button.classList.toggle("starred", isStarred)
    button.setAttribute("aria-label", isStarred ? button.dataset.unstar : button.dataset.star)
  }
}

function toFront(button) {
  const tile = button.closest(".board-tile")
  const others = [...tile?.parentElement.children ?? []].filter((one) => one !== tile)
  if (!tile || others.slice(0, [...tile.parentElement.children].indexOf(tile)).every((one) => one.querySelector(".starred"))) return
  const hadFocus = document.activeElement === button
  others[0].before(tile)
  if (hadFocus) button.focus({ preventScroll: true })
}
