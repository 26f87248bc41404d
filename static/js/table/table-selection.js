// Selects rows of a table: a checkbox or X toggles one, with Shift all from the one toggled last; Shift and an arrow select up to
// the next row. A bar says how many, and offers what the bar of a board offers (board/selection.js); for rows of several boards,
// what all of them have in common.
import { askDue } from "../board/ask-due.js";
import { tellSelectionHeight } from "../board/selection-height.js";
import { showDoneButtons } from "../board/done-buttons.js";
import { showTicked } from "../board/tick-cards.js";
import { fetchFragments } from "../kit/fetch-fragments.js";
import { selectionBrought, takeSelectionAlong } from "../kit/selection-along.js";
import { keyOf } from "../kit/typed-keys.js";
import { showError } from "../kit/toasts.js";
import { sendMine } from "../my/assign-me.js";
import { region, rowMeant, rowOf, rows } from "../my/rows.js";

const BOX = "tbody .of-select > input", ALL = "thead .of-select > input"

export default function tableSelection(bar) {
  const main = document.querySelector("main.table-view")
  const chosen = new Set(selectionBrought(main)) // ids of cards
  const words = bar.querySelector("[role=status]"), choices = bar.querySelector(".choices")
  let anchor // the card toggled last
  let offered = "" // the boards whose lists, labels and people the bar offers, as the address has them
  let loading = new AbortController()
  let coming // a promise that is kept when the bar offers them, and also when they do not come
  const known = new Map() // by card, while it is on its way: a promise of whether the server has it as done

  main.addEventListener("rows:fresh", ({ detail }) => show(detail))
  main.addEventListener("cards:sent", () => offerDone())
  main.addEventListener("click", ({ target, shiftKey }) => {
    if (target.matches(ALL)) choose(boxes(), target.checked)
    else if (target.matches(BOX)) toggle(target, target.checked, shiftKey)
  })
  main.addEventListener("rows:extend", ({ detail }) => extend(...detail))
  document.addEventListener("keydown", (event) => {
    if (event.defaultPrevented || document.querySelector("dialog:modal, [popover]:popover-open") || event.target.matches("input:not([type=checkbox]), select")) return
    const key = keyOf(event), box = ["x", "Shift+x"].includes(key) && rowMeant() && boxIn(rowMeant())
    if (box) toggle(box, !box.checked, event.shiftKey)
    else if (key === "Escape" && chosen.size && !event.target.closest("details[open]")) clear()
    else return
    event.preventDefault()
  })
  bar.addEventListener("click", ({ target }) => {
    const button = target.closest("button")
    if (button?.matches("[data-clear]")) clear()
    else if (button?.matches("[data-due]")) ask()
    else if (button) change(button)
  })
  main.addEventListener("board:select", ({ detail: { card } }) => {
    const box = boxIn(rowOf(card))
    if (box) toggle(box, !box.checked)
  })
  // Keys and the menu of a row mean all that are selected, as on a board.
  const onAll = (name, act) => main.addEventListener(`board:${name}`, (event) => {
    if (!chosen.size || event.detail.isOwn) return
    event.stopPropagation() // my-work.js
    act()
  }, { capture: true })
  onAll("done", () => send({ done: Number(!areDone()) }))
  onAll("archive", () => send({ archived: 1 }))
  onAll("due", ask)
  onAll("assign-me", () => sendMine(rowsChosen(), send))
  for (const kind of ["labels", "people", "move"]) onAll(kind, () => openMenu(kind))
  // A finger on the title of a row goes on selecting.
  main.addEventListener("click", (event) => {
    const box = chosen.size && event.pointerType === "touch" && event.target.closest(".title") && boxIn(rowOf(cardOf(event.target)))
    if (!box) return
    event.preventDefault()
    event.stopPropagation()
    toggle(box, !box.checked)
  }, { capture: true })
  tellSelectionHeight(bar)
  takeSelectionAlong(main, () => [...chosen])
  show(region()) // a browser may keep ticks when it loads a page again

  function toggle(box, isOn, extends_) {
    const all = boxes(), at = all.indexOf(box), from = all.findIndex((one) => cardOf(one) === anchor)
    choose(extends_ && from >= 0 ? all.slice(Math.min(at, from), Math.max(at, from) + 1) : [box], isOn)
    anchor = cardOf(box)
  }

  // Goes on from one row to the next; on the way back to where it began, the rows it leaves are given up.
  function extend(row, next) {
    const all = rows(), placeOf = (one) => all.indexOf(one)
    if (!chosen.has(anchor) || (boxIn(row) && !chosen.has(row.dataset.card))) anchor = row.dataset.card
    const began = placeOf(rowOf(anchor))
    const goesBack = Math.abs(placeOf(next) - began) < Math.abs(placeOf(row) - began)
    choose((goesBack ? [row] : [row, next]).map(boxIn).filter(Boolean), !goesBack)
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
    const all = [...root.querySelectorAll(BOX)], there = new Set(all.map(cardOf))
    for (const card of [...chosen]) if (!there.has(card)) chosen.delete(card)
    for (const box of all) {
      box.checked = chosen.has(cardOf(box))
      box.closest("tr").setAttribute("aria-selected", box.checked)
    }
    const number = chosen.size, whole = root.querySelector(ALL)
    if (whole) Object.assign(whole, { checked: number > 0 && number === all.length, indeterminate: number > 0 && number < all.length })
    const hadFocus = bar.contains(document.activeElement)
    bar.hidden = number === 0
    main.toggleAttribute("data-selecting", number > 0)
    if (bar.hidden && hadFocus) focusRow()
    words.textContent = number === 1 ? bar.dataset.one : bar.dataset.many.replace("2", number)
    offerDone(root)
    offer(boardsOf(all.filter((box) => box.checked)))
  }

  function offerDone(root) {
    if (chosen.size) showDoneButtons(bar, areDone(root))
  }

  // Offers the lists, labels and people of one board as they are now, or the labels and people that several have in common.
  function offer(boards) {
    const wanted = boards.join(".")
    if (wanted === offered) return
    offered = wanted
    loading.abort()
    choices.replaceChildren()
    if (wanted) coming = load(boards)
  }

  async function load(boards) {
    const { signal } = loading = new AbortController()
    try {
      const menus = await fetchFragments(boards.length > 1 ? `/my/cards?boards=${offered}` : `/board/${offered}/cards`, signal)
      if (!signal.aborted) choices.replaceChildren(...menus)
    } catch (error) {
      if (signal.aborted) return
      offered = "" // asked for again with the next change of the selection
      showError(error.words ?? main.dataset.failed)
    }
  }

  function change(button) {
    const menu = button.closest("details")
    if (menu) {
      menu.open = false
      focusRow() // for the next key
    }
    send(Object.fromEntries(new URLSearchParams(button.dataset.change)))
  }

  function focusRow() {
    (region().querySelector("tbody [tabindex='0']") ?? main).focus({ preventScroll: true })
  }

  async function openMenu(kind) {
    const from = document.activeElement
    await coming
    const menu = choices.querySelector(`[data-menu="${kind}"]`)
    if (!menu || bar.hidden || document.activeElement !== from) return // several boards have no list in common; or one has gone on
    menu.open = true
    const first = menu.querySelector(".items button") ?? menu.querySelector("summary")
    first.focus()
  }

  function ask() {
    askDue({ words: words.textContent, send })
  }

  // Returns a promise of whether the server accepts.
  function send(fields) {
    const some = boxes().filter((box) => box.checked), cards = some.map(cardOf)
    const boards = boardsOf(some), board = boards.length === 1 ? boards[0] : undefined
    const accepted = new Promise((answered) => {
      main.dispatchEvent(new CustomEvent("board:change-cards", { detail: { board, cards, fields, answered } }))
    })
    if ("done" in fields) {
      for (const card of cards) tick(card, Number(fields.done) === 1, accepted)
      main.dispatchEvent(new CustomEvent("cards:sent", { detail: accepted }))
    }
    return accepted
  }

  // Shows at once what the server should do, and what it has once the last change of a card is refused. Done rows stay as those
  // of single ticks do (my-rows.js), and with them the selection.
  async function tick(card, isDone, accepted) {
    const was = known.get(card) ?? rowOf(card).matches(".done")
    showTicked(rowOf(card), isDone, main.dataset)
    rowOf(card).dataset.ticked = "" // also one that is reopened, until the answer
    const isKept = accepted.then((isAccepted) => isAccepted ? isDone : was)
    known.set(card, isKept)
    const isThere = await isKept
    if (known.get(card) !== isKept) return
    known.delete(card)
    if (rowOf(card)) showTicked(rowOf(card), isThere, main.dataset)
    offerDone()
  }

  const areDone = (root = region()) => !root.querySelector("[aria-selected=true]:not(.done)")
  const rowsChosen = () => boxes().filter((box) => box.checked).map((box) => box.closest("tr"))
}

const boxes = () => [...region().querySelectorAll(BOX)]
const boxIn = (row) => row.querySelector(".of-select > input")
const cardOf = (box) => box.closest("[data-card]").dataset.card

// The boards of these boxes, each once, always in the same order.
const boardsOf = (some) => [...new Set(some.map((box) => box.closest("[data-card]").dataset.board))].sort()
