// Selects tiles: Ctrl- or Cmd-click and `x` toggle one, Shift-click extends to it. While any is selected, a tap toggles too,
// and a bar says how many, and offers what can be done with all of them. Dragging one of them drags all (drag-subjects.js).
import { fetchFragments } from "../kit/fetch-fragments.js";
import { selectionBrought, takeSelectionAlong } from "../kit/selection-along.js";
import { tellSelectionHeight } from "./selection-height.js";
import { showDoneButtons } from "./done-buttons.js";
import { currentTile } from "./roving.js";
import { sendCards } from "./send-cards.js";
import { showError } from "../kit/toasts.js";

const TILE = ".list > ol > .card"

export default function selection(bar) {
  const board = document.querySelector("main.board")
  const lists = board.querySelector(".lists")
  const words = bar.querySelector("[role=status]")
  const chosen = new Set(selectionBrought(board).map((card) => `card-${card}`)) // ids of the tiles
  const changes = new MutationObserver(show) // a tile is replaced when its card changes, and goes when it is archived
  let anchor // the tile toggled last, by its id
  let loading = new AbortController()
  let hasFailed = false // the last reading of what the bar offers
  let pointer // what pressed last: older browsers do not tell of a click

  lists.addEventListener("pointerdown", ({ pointerType }) => { pointer = pointerType }, { capture: true })
  // Before a link in a tile opens a card, or a tab.
  lists.addEventListener("click", (event) => {
    const tile = event.target.closest(TILE)
    const isTap = event.detail > 0 && ["touch", "pen"].includes(pointer) && !event.target.closest(".tile-more")
    const isToggling = event.ctrlKey || event.metaKey || (isTap && chosen.size > 0)
    if (!tile || !(isToggling || event.shiftKey) || board.dataset.role === "viewer") return
    event.preventDefault()
    event.stopPropagation()
    if (isToggling) toggle(tile)
    else extend(tile)
  }, { capture: true })
  board.addEventListener("board:select", ({ target }) => {
    const tile = target.closest(TILE)
    if (tile) toggle(tile)
  })
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.defaultPrevented || !chosen.size || document.querySelector("dialog:modal")) return
    event.preventDefault()
    clear()
  })
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button")
    if (button?.matches("[data-clear]")) clear()
    else if (button?.matches("[data-due]")) board.dispatchEvent(new CustomEvent("board:due", { detail: {} }))
    else if (button) change(button)
  })

  board.addEventListener("board:collapsed", () => {
    for (const tile of lists.querySelectorAll(".list[data-collapsed] > ol > .selected")) unmark(tile)
    show()
  })

  tellSelectionHeight(bar)
  takeSelectionAlong(board, selected)
  if (chosen.size) show()

  function toggle(tile) {
    if (chosen.has(tile.id)) unmark(tile)
    else chosen.add(tile.id)
    anchor = tile.id
    show()
  }

  // From the tile toggled last, if it is in the same list.
  function extend(tile) {
    const tiles = [...tile.parentElement.querySelectorAll(":scope > .card")]
    const ends = [tile.id, anchor].map((id) => tiles.findIndex((one) => one.id === id))
    const from = ends[1] < 0 ? ends[0] : Math.min(...ends)
    for (const one of tiles.slice(from, Math.max(...ends) + 1)) chosen.add(one.id)
    getSelection().removeAllRanges()
    if (ends[1] < 0) anchor = tile.id
    show()
  }

  function clear() {
    for (const id of chosen) unmark(document.getElementById(id))
    show()
  }

  function unmark(tile) {
    chosen.delete(tile?.id)
    tile?.classList.remove("selected")
    tile?.querySelector(".selected-word")?.remove()
  }

  function show() {
    for (const id of chosen) mark(document.getElementById(id), id)
    const number = chosen.size
    const isNew = bar.hidden && number > 0
    const hadFocus = bar.contains(document.activeElement)
    bar.hidden = number === 0
    board.toggleAttribute("data-selecting", number > 0)
    words.textContent = number === 1 ? bar.dataset.one : bar.dataset.many.replace("2", number)
    if (number) showDoneButtons(bar, !lists.querySelector(".card.selected:not(.done)"))
    if (isNew) begin()
    else if (!number) end(hadFocus)
    else if (hasFailed) load()
    changes.takeRecords() // those of the marks
  }

  function mark(tile, id) {
    if (!tile) chosen.delete(id)
    if (!tile || tile.matches(".selected")) return
    tile.classList.add("selected")
    tile.querySelector(".title").append(bar.querySelector("template").content.cloneNode(true))
  }

  function begin() {
    changes.observe(lists, { childList: true, subtree: true })
    load()
  }

  function end(hadFocus) {
    changes.disconnect()
    loading.abort()
    if (hadFocus) (currentTile()?.querySelector(".title") ?? board).focus({ preventScroll: true })
  }

  // Reads the lists, labels and people of the board as they are now.
  async function load() {
    const { signal } = loading = new AbortController()
    hasFailed = false
    try {
      bar.querySelector(".choices").replaceChildren(...await fetchFragments(`/board/${board.dataset.board}/cards`, signal))
    } catch (error) {
      if (signal.aborted) return
      hasFailed = true // asked for again with the next change of the selection
      showError(error.words ?? board.dataset.failed)
    }
  }

  function selected() {
    return [...lists.querySelectorAll(".card.selected")].map(({ id }) => id.slice("card-".length))
  }

  function change(button) {
    const menu = button.closest("details")
    if (menu) menu.open = false
    sendCards(selected(), Object.fromEntries(new URLSearchParams(button.dataset.change)))
  }
}
