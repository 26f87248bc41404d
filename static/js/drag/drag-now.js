// Drags the tile or list that was pressed. presses.js says where the pointer is, and when it is let go.
import { happened } from "../board/card-meant.js";
import { stepper } from "./drag-scroll.js";
import { cardsDrag, listDrag } from "./drag-subjects.js";
import { follow } from "./follow.js";

const tileOf = (element) => element?.closest(".card")

export function lift(lists, press) {
  const subject = (press.element.matches(".card") ? cardsDrag : listDrag)(press.element, press.isTouch)
  const { drop, end } = follow(subject, press, press.isTouch ? { step: stepper(lists) } : { lists })
  happened("lift", tileOf(press.element))
  return {
    drop(at) {
      drop(at)
      if (press.isTouch) press.element.scrollIntoView({ block: "nearest", inline: "nearest" })
    },
    end() {
      end()
      happened("drop", tileOf(document.getElementById(press.element.id)))
    },
  }
}
