// The menu of a tile: one button and one menu for all tiles. The button goes to the tile that is meant. For fingers the tiles in view have buttons of their own (touch-tools.js). Entries send the events that shortcuts send.
import { isMine } from "./assign-me.js";
import { happened, tileMeant } from "./card-meant.js";
import { isDone } from "./done.js";
import { menuSheet } from "../kit/menu-sheet.js";
import { mayTell, tell } from "../kit/shortcuts.js";

export default function tileMenu(menu) {
  const board = document.querySelector("main.board")
  const lists = board.querySelector(".lists")
  const shared = menu.querySelector("template").content.firstElementChild
  let button = shared // that of the tile
  let tile
  const idOfCard = () => tile.id.slice("card-".length)
  const sheet = menuSheet(menu, {
    choose: (name) => tell(board, name, idOfCard()),
    home: () => document.getElementById(tile.id)?.querySelector(".title"),
  })

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
    if (isOpen()) return sheet.close()
    attach(pressed.closest(".card"))
    return open()
  })
  menu.addEventListener("beforetoggle", ({ newState }) => happened(newState === "open" ? "open" : "close", tile))
  menu.addEventListener("toggle", ({ newState }) => button.setAttribute("aria-expanded", String(newState === "open")))

  attach(tileMeant())
  forFingers(lists, shared)

  function isOpen() {
    return menu.matches(":popover-open")
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
    sheet.word("done", isDone(idOfCard()))
    sheet.word("assign-me", isMine(idOfCard()))
    menu.querySelector("[data-number]").textContent = tile.querySelector(".number").textContent
    sheet.open(button)
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
