// Drags the tile or list that was pressed. drag.js says where the pointer is, and when it is let go.
import { happened } from "../board/card-meant.js";
import { showDrag } from "./drag-look.js";
import { autoScroll, stepper } from "./drag-scroll.js";
import { cardsDrag, listDrag } from "./drag-subjects.js";

const tileOf = (element) => element?.closest(".card")

export function lift(lists, press) {
  const subject = press.element.matches(".card") ? cardsDrag(press.element) : listDrag(press.element)
  const look = showDrag(subject.elements, press, subject.from)
  const step = press.isTouch ? stepper(lists) : undefined
  let place
  let isOver = false

  happened("lift", tileOf(press.element))
  requestAnimationFrame(follow)
  return { drop, end }

  // Once a frame: the pointer may rest at an edge, where the lists go on scrolling.
  function follow(now, before = now) {
    if (isOver) return
    const { x, y } = press.at
    step?.(x, now)
    autoScroll(step ? undefined : lists, place?.scroller, x, y, now - before)
    place = subject.placeAt(x, y)
    look.show(x, y, place)
    requestAnimationFrame((next) => follow(next, now))
  }

  function drop({ x, y }) {
    const target = subject.placeAt(x, y)
    look.hide()
    if (target) subject.drop(target)
    if (step) press.element.scrollIntoView({ block: "nearest", inline: "nearest" })
  }

  function end() {
    isOver = true
    look.hide()
    subject.letGo()
    happened("drop", tileOf(document.getElementById(press.element.id)))
  }
}
