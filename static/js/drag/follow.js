// Shows a drag where the pointer is, until it is let go. `subject` says what is dragged and where it would be dropped
// (drag-subjects.js, drag-items.js).
import { showDrag } from "./drag-look.js";
import { autoScroll } from "./drag-scroll.js";

// `lists` scroll sideways at their edges; `step` is called instead with where a finger is.
export function follow(subject, press, { lists, step } = {}) {
  const look = showDrag(subject.elements, press, subject.from)
  let place
  let isOver = false

  requestAnimationFrame(next)
  return { drop, end }

  // Once a frame: the pointer may rest at an edge, where it goes on scrolling.
  function next(now, before = now) {
    if (isOver) return
    const { x, y } = press.at
    step?.(x, now)
    autoScroll(lists, place?.scroller, x, y, now - before)
    place = subject.placeAt(x, y)
    look.show(x, y, place)
    requestAnimationFrame((later) => next(later, now))
  }

  function drop({ x, y }) {
    const target = subject.placeAt(x, y)
    look.hide()
    if (target) subject.drop(target)
  }

  function end() {
    isOver = true
    look.hide()
    subject.letGo()
  }
}
