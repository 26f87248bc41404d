// Selects rows of the table of a board: a checkbox or X toggles one, with Shift all from the one toggled last. A bar says how
// many, and offers what the board's own bar offers (board/selection.js).
import { fetchFragments } from "../kit/fetch-fragments.js";
import { keyOf } from "../kit/typed-keys.js";
import { showError } from "../kit/toasts.js";
import { region, rowMeant } from "../my/rows.js";

const BOX = "tbody .of-select > input", ALL = "thead .of-select > input"

export default function tableSelection(bar) {
  const main = document.querySelector("main.table-view")
  const chosen = new Set() // ids of cards
  let anchor // the card toggled last
  let loading = new AbortController()

  main.addEventListener("rows:fresh", ({ detail }) => {
    for (const card of [...chosen]) if (!detail.querySelector(`[data-card="${card}"]`)) chosen.delete(card)
    show(detail)
  })
  main.addEventListener("click", ({ target, shiftKey }) => {
    if (target.matches(ALL)) choose(boxes(), target.checked)
    else if (target.matches(BOX)) toggle(target, target.checked, shiftKey)
  })
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog:modal, [popover]:popover-open") || event.target.matches("input:not([type=checkbox]), select")) return
    const key = keyOf(event), box = ["x", "Shift+x"].includes(key) && rowMeant()?.querySelector(".of-select > input")
    if (box) toggle(box, !box.checked, event.shiftKey)
    else if (key === "Escape" && chosen.size && !event.target.closest("details[open]")) clear()
    else return
    event.preventDefault()
  })
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button")
    if (button?.matches("[data-clear]")) clear()
    else if (button) change(button)
  })
  show(region()) // a browser may keep ticks when it loads a page again

  function toggle(box, isOn, extends_) {
    const all = boxes(), at = all.indexOf(box), from = all.findIndex((one) => cardOf(one) === anchor)
    choose(extends_ && from >= 0 ? all.slice(Math.min(at, from), Math.max(at, from) + 1) : [box], isOn)
    anchor = cardOf(box)
  }

  function choose(some, isOn) {
    for (const box of some) isOn ? chosen.add(cardOf(box)) : chosen.delete(cardOf(box))
    show(region())
  }

  function clear() {
    chosen.clear()
    show(region())
  }

  function show(root) {
    const all = [...root.querySelectorAll(BOX)], number = chosen.size, isNew = bar.hidden && number > 0
    for (const box of all) {
      box.checked = chosen.has(cardOf(box))
      box.closest("tr").setAttribute("aria-selected", box.checked)
    }
    const whole = root.querySelector(ALL)
    if (whole) Object.assign(whole, { checked: number > 0 && number === all.length, indeterminate: number > 0 && number < all.length })
    const hadFocus = bar.contains(document.activeElement)
    bar.hidden = number === 0
    if (bar.hidden && hadFocus) (region().querySelector("tbody [tabindex='0']") ?? main).focus({ preventScroll: true })
    bar.querySelector("[role=status]").textContent = number === 1 ? bar.dataset.one : bar.dataset.many.replace("2", number)
    if (isNew) load()
  }

  // Reads the lists, labels and people of the board as they are now.
  async function load() {
    loading.abort()
    const { signal } = loading = new AbortController()
    try {
      bar.querySelector(".choices").replaceChildren(...await fetchFragments(`/board/${main.dataset.board}/cards`, signal))
    } catch (error) {
      if (!signal.aborted) showError(error.words ?? main.dataset.failed)
    }
  }

  function change(button) {
    const menu = button.closest("details"), fields = Object.fromEntries(new URLSearchParams(button.dataset.change))
    if (menu) menu.open = false
    const cards = boxes().filter((box) => box.checked).map(cardOf)
    main.dispatchEvent(new CustomEvent("board:change-cards", { detail: { board: main.dataset.board, cards, fields } }))
  }
}

const boxes = () => [...region().querySelectorAll(BOX)]
const cardOf = (box) => box.closest("[data-card]").dataset.card
