// Hears the presses that may begin a drag, by mouse, pen or finger. A mouse drags when it has moved a little, a finger after a
// long press, so that it scrolls as ever. Alt selects text. What drags is loaded at the first press. If it comes late, it takes
// up the drag where that is, or even after its end.

const MOVED = 5 // pixels
const LONG_PRESS = 300 // milliseconds
const CONTROLS = "button, summary, input, textarea, select, label, details[open], [contenteditable]"

// One listener hears the presses on everything inside `root`. `subjectOf` returns what the pressed element would drag, if
// anything, and `load` the module whose `lift` drags it.
export function hearPresses(root, subjectOf, load) {
  const heard = { pointermove: move, pointerup: drop, pointercancel: end, keydown: escape, visibilitychange: end }
  let press // where a button or a finger went down: { element, pointer, x, y, at, timer, isTouch, isDrag, dragged, drop, isOver }
  let loading

  root.addEventListener("pointerdown", begin)
  root.addEventListener("dragstart", (event) => { if (subjectAt(event)) event.preventDefault() }) // of a link in it
  root.addEventListener("contextmenu", (event) => { if (press?.isTouch) event.preventDefault() })
  // Chrome and Safari decide at the touch whether it may scroll, so this one is there before.
  root.addEventListener("touchmove", (event) => { if (press?.isDrag && event.cancelable) event.preventDefault() }, { passive: false })

  function begin(event) {
    if (press) return end() // a second finger
    const element = event.button === 0 && event.isPrimary && subjectAt(event)
    if (!element) return undefined
    const { pointerId: pointer, clientX: x, clientY: y } = event
    const isTouch = event.pointerType === "touch"
    press = { element, pointer, x, y, at: { x, y }, isTouch }
    loaded()
    if (isTouch) press.timer = setTimeout(start, LONG_PRESS)
    for (const [name, hear] of Object.entries(heard)) document.addEventListener(name, hear, true)
    return undefined
  }

  function subjectAt({ target, altKey, ctrlKey, metaKey, shiftKey }) {
    if (altKey || ctrlKey || metaKey || shiftKey || target.closest(CONTROLS)) return undefined
    return subjectOf(target)
  }

  function loaded() {
    loading ??= load().catch((error) => {
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
    else root.setPointerCapture(mine.pointer)
    const module = await loaded()
    if (!module || (mine.isOver && !mine.drop)) return
    mine.dragged = module.lift(root, mine)
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
