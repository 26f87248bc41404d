// The menu of a tile: one button and one menu for all tiles. The button goes to the tile that is meant. For fingers the tiles in view have buttons of their own (touch-tools.js). Entries send the events that shortcuts send.
import { isMine } from "./card-actions.js";
import { happened, tileMeant } from "./card-meant.js";
import { isDone } from "./done.js";
import { mayTell, tell } from "../kit/shortcuts.js";

export default function tileMenu(menu) {
  const board = document.querySelector("main.board")
  const lists = board.querySelector(".lists")
  const shared = menu.querySelector("template").content.firstElementChild
  let button = shared // that of the tile
  let tile

  lists.addEventListener("board:meant", ({ detail }) => attach(detail.tile))
  lists.addEventListener("contextmenu", (event) => {
    const asked = event.target.closest(".card")
    if (!asked || event.button === 2 || event.pointerType === "touch") return // the browser's own, which opens links in tabs
    event.preventDefault()
    attach(asked)
    open()
  })
  lists.addEventListener("click", ({ target }) => {
    const pressed = target.closest(".tile-more")
    if (!pressed) return
    if (isOpen()) return close()
    attach(pressed.closest(".card"))
    return open()
  })
  menu.addEventListener("keydown", (event) => {
    const shown = entries()
    const at = shown.indexOf(document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === "Tab" || event.key === "Escape") close()
    else if (to === undefined) return
    else shown.at(to % shown.length).focus()
    event.preventDefault()
  })
  menu.addEventListener("click", (event) => {
    const name = event.target.closest("[data-tell]")?.dataset.tell
    if (!name) return
    event.preventDefault() // shortcuts.js would ask a second time
    close()
    tell(board, name, tile.id.slice("card-".length))
  })
  menu.addEventListener("beforetoggle", ({ newState }) => happened(newState === "open" ? "open" : "close", tile))
  menu.addEventListener("toggle", ({ newState }) => button.setAttribute("aria-expanded", String(newState === "open")))

  attach(tileMeant())
  forFingers(lists, shared)

  function isOpen() {
    return menu.matches(":popover-open")
  }

  function entries() {
    return [...menu.querySelectorAll("[data-tell]:not([hidden])")]
  }

  function attach(asked) {
    if (!asked || isOpen() || button.parentElement === asked) return
    tile = asked
    button = tile.querySelector(":scope > .tile-more") ?? shared
    button.setAttribute("aria-label", menu.dataset.name.replace("TITLE", tile.querySelector(".title").firstChild.textContent.trim()))
    if (button === shared) tile.append(shared)
    else shared.remove()
  }

  function open() {
    for (const entry of menu.querySelectorAll("[data-tell]")) entry.hidden = !mayTell(board, entry.dataset.tell, tile.id)
    word("done", isDone)
    word("assign-me", isMine)
    menu.querySelector("[data-number]").textContent = tile.querySelector(".number").textContent
    menu.showPopover()
    const { left, top, bottom } = button.getBoundingClientRect()
    const isLow = bottom + menu.offsetHeight + 12 > innerHeight
    menu.style.left = `${Math.max(8, Math.min(left, innerWidth - menu.offsetWidth - 8))}px`
    menu.style.top = `${Math.max(8, isLow ? top - menu.offsetHeight - 4 : bottom + 4)}px`
    entries()[0].focus()
  }

  // Says what the entry does to this tile.
  function word(name, isSo) {
    const words = menu.querySelector(`[data-tell="${name}"] > [data-undo]`)
    words.textContent = words.dataset[isSo(tile.id.slice("card-".length)) ? "undo" : "do"]
  }

  function close() {
    menu.hidePopover()
    document.getElementById(tile.id)?.querySelector(".title").focus({ preventScroll: true })
  }
}

// Fingers hover over nothing, so what tiles have for them is seen at once, or from the first touch of a screen that has a
// mouse too.
function forFingers(lists, shared) {
  const start = async () => (await import("./touch-tools.js")).default(lists, shared.cloneNode(true))
  const hear = ({ pointerType }) => {
    if (pointerType !== "touch") return
    lists.removeEventListener("pointerdown", hear)
    start()
  }
  if (matchMedia("(pointer: coarse)").matches) start()
  else lists.addEventListener("pointerdown", hear)
}
