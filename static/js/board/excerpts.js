// Shows the first line of each description on its tile, or hides it, as the reader chose for this board.
import { keep } from "./keep.js";

export default function excerpts(button) {
  const board = document.querySelector("main.board")

  button.addEventListener("click", async (event) => {
    event.preventDefault()
    const isShown = button.value === "1"
    show(isShown)
    await keep(button.getAttribute("formaction"), "shown", isShown, show)
  })

  function show(isShown) {
    button.value = Number(!isShown)
    board.classList.toggle("with-excerpts", isShown)
    button.setAttribute("aria-pressed", String(isShown))
  }
}
