// What is seen of a drag: a copy under the pointer, a slot of its height where it will be dropped, and the list around that.
// A slot is no element, which the scripts that place tiles would count, but the margin of what comes after it.
const SHOWN = 6 // tiles of a list that is dragged
const MARKS = ["makes-room", "makes-room-after", "target"]

// `press` is where the pointer went down, `from` the place that the first element leaves.
export function showDrag(elements, press, from) {
  const [first] = elements
  const copy = copyOf(first)
  const root = document.documentElement
  const layer = first.closest("dialog") ?? document.body // a dialog covers everything else
  const { left, top, width, height } = first.getBoundingClientRect()
  const dx = press.x - left
  const dy = Math.min(press.y - top, height)
  copy.style.width = `${width}px`
  if (elements.length > 1) copy.dataset.number = elements.length
  layer.append(copy)
  root.classList.add("is-dragging")
  root.style.setProperty("--room-width", `${width}px`)
  root.style.setProperty("--room-height", `${height}px`)
  first.classList.add("lifted")
  for (const other of elements.slice(1)) other.classList.add("carried")
  show(press.x, press.y, from)
  return { show, hide }

  // `at` names the element before which there is room, or after which with `isAfter`, and the list to be dropped in.
  function show(x, y, { room, isAfter, list } = from) {
    copy.style.translate = `${inSight(x - dx)}px ${y - dy}px`
    mark("makes-room", isAfter ? undefined : room)
    mark("makes-room-after", isAfter ? room : undefined)
    mark("target", list)
  }

  // A finger at the edge of a phone would have most of the copy beyond it.
  function inSight(at) {
    return press.isTouch ? Math.max(0, Math.min(at, innerWidth - width)) : at
  }

  function hide() {
    copy.remove()
    root.classList.remove("is-dragging")
    for (const name of [...MARKS, "lifted", "carried"]) mark(name)
  }
}

// Lets this element alone have the mark. What has it may have been replaced by an update since.
function mark(name, element) {
  if (element?.classList.contains(name)) return
  for (const one of [...document.getElementsByClassName(name)]) one.classList.remove(name)
  element?.classList.add(name)
}

function copyOf(element) {
  const isList = element.matches(".list")
  const copy = element.cloneNode(!isList)
  if (isList) {
    const column = document.createElement("ol")
    column.append(...[...element.querySelectorAll(":scope > ol > .card")].slice(0, SHOWN).map((tile) => tile.cloneNode(true)))
    copy.append(element.querySelector("header").cloneNode(true), column)
  }
  for (const one of [copy, ...copy.querySelectorAll("[id]")]) one.removeAttribute("id")
  copy.classList.remove("meant")
  copy.classList.add("drag-copy")
  copy.inert = true
  copy.setAttribute("aria-hidden", "true")
  return copy
}
