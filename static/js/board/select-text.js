// While Alt is held, the text of tiles can be selected with the mouse: their links cover them, open cards and are dragged.
export default function selectText(board) {
  const root = document.documentElement
  addEventListener("keydown", ({ key }) => { if (key === "Alt") root.classList.add("selects-text") })
  addEventListener("keyup", ({ key }) => { if (key === "Alt") root.classList.remove("selects-text") })
  addEventListener("blur", () => root.classList.remove("selects-text"))
  board.addEventListener("click", (event) => {
    if (!event.altKey || !event.target.closest(".card")) return
    event.preventDefault()
    event.stopPropagation()
  }, { capture: true })
}
