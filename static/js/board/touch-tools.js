// Gives each tile near the view a circle and a menu button of its own, for fingers. They are no stops of the Tab key: keys
// have theirs. What they do is heard by tile-menu.js and done-circle.js.
import { circleIn, nameCircle } from "./done.js";

const NEAR = { rootMargin: "400px" }
const TOOLS = ".done-circle, .tile-more"

// `dots` is the menu button of the mouse.
export default function touchTools(lists, dots) {
  const circle = document.getElementById("done-circle")?.content.firstElementChild // an archived board has none
  const { name } = document.getElementById("tile-menu").dataset
  const observer = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) equip(target)
  }, NEAR)

  document.documentElement.classList.add("touched")
  watch(lists.querySelectorAll(".card"))
  new MutationObserver((records) => {
    const added = records.flatMap(({ addedNodes }) => [...addedNodes]).filter((node) => node.matches?.(".card, .list"))
    for (const node of added) watch(node.matches(".card") ? [node] : node.querySelectorAll(".card"))
    // The one circle and the one menu button of the mouse leave a tile that was equipped while it had them.
    watch(records.filter(({ removedNodes }) => [...removedNodes].some((node) => node.matches?.(TOOLS))).map(({ target }) => target))
  }).observe(lists, { childList: true, subtree: true })

  function watch(tiles) {
    for (const tile of tiles) observer.observe(tile)
  }

  function equip(tile) {
    observer.unobserve(tile)
    const title = tile.querySelector(".title").firstChild.textContent.trim()
    if (circle && !circleIn(tile)) nameCircle(add(circle, tile), tile)
    if (!tile.querySelector(":scope > .tile-more")) add(dots, tile).setAttribute("aria-label", name.replace("TITLE", title))
  }
}

function add(button, tile) {
  const own = button.cloneNode(true)
  own.tabIndex = -1
  tile.append(own)
  return own
}
