// Pressing the mouse beside the lists and pulling scrolls the board, as a hand moves paper.
const MOVED = 4 // px, below which it is a click

export default function pull(board) {
  const lists = board.querySelector(".lists")
  let from // where it was pressed, and how far the board was scrolled then

  lists.addEventListener("pointerdown", ({ target, pointerType, button, pointerId, clientX, offsetY }) => {
    const isBeside = target === lists && offsetY < lists.clientHeight // and not on the scrollbar
    if (!isBeside || pointerType !== "mouse" || button !== 0) return
    from = { x: clientX, left: lists.scrollLeft }
    lists.setPointerCapture(pointerId)
  })
  lists.addEventListener("pointermove", ({ clientX }) => {
    if (!from || (Math.abs(clientX - from.x) < MOVED && !lists.matches(".pulled"))) return
    lists.classList.add("pulled")
    lists.scrollTo({ left: from.left + from.x - clientX, behavior: "instant" })
  })
  lists.addEventListener("lostpointercapture", () => {
    from = undefined
    lists.classList.remove("pulled")
  })
}
