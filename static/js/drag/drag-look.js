// What is seen of a drag: a copy under the pointer, a line where it will be dropped, and what is dragged, faded.
const SHOWN = 6 // tiles of a list that is dragged

// `press` is where the pointer went down.
export function showDrag(elements, press) {
  const [first] = elements
  const copy = copyOf(first)
  const line = Object.assign(document.createElement("div"), { className: "drop-line", hidden: true })
  const { left, top, width, height } = first.getBoundingClientRect()
  const dx = press.x - left
  const dy = Math.min(press.y - top, height)
  copy.style.width = `${width}px`
  if (elements.length > 1) copy.dataset.number = elements.length
  document.body.append(copy, line)
  document.documentElement.classList.add("is-dragging")
  for (const element of elements) element.classList.add("lifted")
  show(press.x, press.y)
  return { show, hide }

  function show(x, y, at) {
    copy.style.translate = `${x - dx}px ${y - dy}px`
    line.hidden = !at
    if (at) Object.assign(line.style, { translate: `${at.left}px ${at.top}px`, width: `${at.width}px`, height: `${at.height}px` })
  }

  function hide() {
    copy.remove()
    line.remove()
    document.documentElement.classList.remove("is-dragging")
    for (const lifted of document.querySelectorAll(".lifted")) lifted.classList.remove("lifted")
  }
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
  copy.classList.add("drag-copy")
  copy.inert = true
  copy.setAttribute("aria-hidden", "true")
  return copy
}
