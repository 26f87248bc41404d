// Drags an item within the checklists of the open card, which stays as it is meanwhile.
import { hold, letGo } from "../board/held.js";
import { CARD, moveItem } from "../card/place-item.js";
import { firstBelow } from "./drag-subjects.js";
import { follow } from "./follow.js";

export const lift = (checklists, press) => follow(itemDrag(checklists, press.element), press)

function itemDrag(checklists, item) {
  const dialog = item.closest("dialog")
  const from = { room: item.nextElementSibling ?? item.parentElement }
  hold([CARD])
  return { elements: [item], from, placeAt, drop, letGo: () => letGo([CARD]) }

  function placeAt(_x, y) {
    const into = nearest([...checklists.children], y).querySelector(":scope > .items")
    const items = [...into.children].filter((one) => one !== item)
    const before = items[firstBelow(items, y)]
    return { into, before, room: before ?? into, scroller: dialog }
  }

  function drop({ into, before = null }) {
    if (into !== item.parentElement || before !== item.nextElementSibling) moveItem(item, into, before)
  }
}

function nearest(checklists, y) {
  const distance = (checklist) => {
    const { top, bottom } = checklist.getBoundingClientRect()
    return Math.max(top - y, y - bottom, 0)
  }
  return checklists.reduce((best, one) => (distance(one) < distance(best) ? one : best))
}
