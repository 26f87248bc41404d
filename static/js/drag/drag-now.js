// Drags the tile or list that was pressed. drag.js says where the pointer is, and when it is let go.
import { showDrag } from "./drag-look.js";
import { autoScroll } from "./drag-scroll.js";
import { cardsDrag, listDrag } from "./drag-subjects.js";

export function lift(lists, press) {
  const subject = press.element.matches(".card") ? cardsDrag(press.element) : listDrag(press.element)
  const look = showDrag(subject.elements, press)
  let place
  let isOver = false

  requestAnimationFrame(follow)
  return { drop, end }

  // Once a frame: the pointer may rest at an edge, where the lists go on scrolling.
  function follow(now, before = now) {
    if (isOver) return
    const { x, y } = press.at
    autoScroll(lists, place?.scroller, x, y, now - before)
    place = subject.placeAt(x, y)
    look.show(x, y, place?.line)
    requestAnimationFrame((next) => follow(next, now))
  }

  function drop({ x, y }) {
    const target = subject.placeAt(x, y)
    if (target) subject.drop(target)
  }

  function end() {
    isOver = true
    look.hide()
    subject.letGo()
  }
}
