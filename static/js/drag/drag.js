// Drags tiles and lists by mouse, pen or finger. Nothing is registered for a tile: one listener hears the presses on all of
// them. A mouse drags when it has moved a little, a finger after a long press, so that it scrolls as ever. Alt selects text.
// What drags is loaded at the first press. If it comes late, it takes up the drag where that is, or even after its end.

const MOVED = 5 // pixels
const LONG_PRESS = 300 // milliseconds
const CONTROLS = "button, summary, input, textarea, select, label, details[open], [contenteditable]"

export default function drag(board) {
  const lists = board.querySelector(".lists")
  const heard = { pointermove: move, pointerup: drop, pointercancel: end, keydown: escape, visibilitychange: end }
  let press // where a button or a finger went down: { element, pointer, x, y, at, timer, isTouch, isDrag, dragged, drop, isOver }
  let loading

  lists.addEventListener("pointerdown", begin)
  lists.addEventListener("dragstart", (event) => { if (subjectAt(event)) event.preventDefault() }) // of the link in a tile
  lists.addEventListener("contextmenu", (event) => { if (press?.isTouch) event.preventDefault() })
  // Chrome and Safari decide at the touch whether it may scroll, so this one is there before.
  lists.addEventListener("touchmove", (event) => { if (press?.isDrag && event.cancelable) event.preventDefault() }, { passive: false })

  function begin(event) {
    if (press) return end() // a second finger
    const element = event.button === 0 && event.isPrimary && subjectAt(event)
    if (!element) return undefined
    const { pointerId: pointer, clientX: x, clientY: y } = event
    const isTouch = event.pointerType === "touch"
    press = { element, pointer, x, y, at: { x, y }, isTouch }
    load()
    if (isTouch) press.timer = setTimeout(start, LONG_PRESS)
    for (const [name, hear] of Object.entries(heard)) document.addEventListener(name, hear, true)
    return undefined
  }

  function subjectAt({ target, altKey, ctrlKey, metaKey, shiftKey }) {
    if (altKey || ctrlKey || metaKey || shiftKey || target.closest(CONTROLS)) return undefined
    if (board.dataset.role === "viewer") return undefined
    const tile = target.closest(".list[id] > ol > .card")
    const head = target.closest(".list[id] > header")
    return tile ?? head?.parentElement
  }

  function load() {
    loading ??= import("./drag-now.js").catch((error) => {
      loading = undefined // tries again at the next press
      reportError(error)
    })
    return loading
  }

  function move({ pointerId, clientX: x, clientY: y }) {
    if (pointerId !== press.pointer) return
    press.at = { x, y }
    if (press.isDrag || Math.hypot(x - press.x, y - press.y) < MOVED) return
    if (press.isTouch) end()
    else start()
  }

  async function start() {
    const mine = press
    mine.isDrag = true
    getSelection().removeAllRanges()
    if (mine.isTouch) navigator.vibrate?.(10)
    else lists.setPointerCapture(mine.pointer)
    const module = await load()
    if (!module || (mine.isOver && !mine.drop)) return
    mine.dragged = module.lift(lists, mine)
    if (mine.isOver) finish(mine)
  }

  function drop({ pointerId, clientX: x, clientY: y }) {
    if (pointerId !== press.pointer) return
    if (press.isDrag) {
      ignoreClick()
      press.drop = { x, y }
    }
    end()
  }

  function escape(event) {
    if (event.key !== "Escape" || !press.isDrag) return
    event.preventDefault()
    event.stopImmediatePropagation()
    ignoreClick()
    end()
  }

  function end() {
    clearTimeout(press.timer)
    for (const [name, hear] of Object.entries(heard)) document.removeEventListener(name, hear, true)
    press.isOver = true
    if (press.dragged) finish(press)
    press = undefined
  }

  function finish({ dragged, drop: place }) {
    if (place) dragged.drop(place)
    dragged.end()
  }
}

// The button is let go after a drag: that is no click on what lies there. Where no click comes, the next one is meant, such as
// that of the Enter key.
function ignoreClick() {
  const ignore = (event) => {
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener("click", ignore, { capture: true, once: true })
  const heed = () => removeEventListener("click", ignore, { capture: true })
  for (const sign of ["pointerdown", "keydown"]) addEventListener(sign, heed, { capture: true, once: true })
}
