// The cells of a table as a grid: arrows go from cell to cell; with Shift they select rows on their way (table-selection.js).
// Enter changes what a cell shows, as the menu and the keys of a row do (my-work.js), and opens the card of a cell that cannot
// be changed.
import { keyOf } from "../kit/typed-keys.js";
import { linkOf, region, rowAt, rowOf, tellRow } from "../my/rows.js";
import { editTitle } from "./edit-title.js";

const CELL = "#table-rows tbody :is(td, th)"
const ASKS = { "of-tick": "done", "of-title": "title", "of-list": "move", "of-labels": "labels", "of-people": "people", "of-due": "due" }
const TOGGLES = ["of-select", "of-tick"] // by the space bar too
const SELECTING = ["ArrowUp", "ArrowDown"] // with Shift
const LETTERS = { j: "ArrowDown", k: "ArrowUp" }

export default function tableGrid(main) {
  const refused = new Map() // titles by card, with which the next editing begins
  let card, column // of the cell that has the focus, or had it last

  main.addEventListener("rows:fresh", ({ detail }) => {
    if (detail.querySelector("[data-edit]") && !document.getElementById("due-dialog")) return location.reload() // an editor now
    prepare(detail)
  })
  main.addEventListener("focusin", ({ target }) => {
    const cell = target.closest(CELL)
    if (!cell || "editing" in cell.dataset) return
    become(cell)
    if (target.matches(".title, .of-select > input")) cell.focus({ preventScroll: true })
  })
  main.addEventListener("keydown", (event) => {
    const cell = event.target
    if (!cell.matches(CELL) || event.defaultPrevented) return
    const next = neighbour(cell, event)
    if (next && event.shiftKey) main.dispatchEvent(new CustomEvent("rows:extend", { detail: [rowAt(cell), rowAt(next)] }))
    if (next) go(next)
    else if (keyOf(event) === "Enter") enter(cell)
    else if (event.key !== " " || !TOGGLES.includes(cell.className)) return
    else enter(cell)
    event.preventDefault()
  })
  main.addEventListener("click", ({ target }) => {
    const cell = target.closest(CELL)
    if (!cell || target.closest("a, button, input") || !getSelection().isCollapsed || !("edit" in rowAt(cell).dataset)) return
    go(cell)
    if (ASKS[cell.className] && cell.className !== "of-tick") enter(cell)
  })
  main.addEventListener("board:title", ({ detail }) => edit(rowOf(detail.card).querySelector(".of-title")))
  prepare(region())
  document.activeElement.closest(`${CELL}:has(> .title:focus)`)?.focus({ preventScroll: true }) // that was opened when one left (my-rows.js)

  function prepare(root) {
    const table = root.querySelector("table")
    table?.setAttribute("role", "grid")
    if (table?.querySelector(".of-select")) table.setAttribute("aria-multiselectable", "true")
    root.querySelector(".table-frame")?.removeAttribute("tabindex") // its cells have the focus
    for (const cell of root.querySelectorAll("tbody :is(td, th)")) {
      if (cell.matches("td")) cell.setAttribute("role", "gridcell")
      cell.id = `${cell.className}-${cell.parentElement.dataset.card}`
      cell.tabIndex = -1
      for (const control of cell.querySelectorAll("a, button, input")) control.tabIndex = -1
    }
    const first = current(root) ?? root.querySelector("tbody .of-title")
    if (first) first.tabIndex = 0
  }

  function current(root) {
    return card && root.querySelector(`[data-card="${card}"] > .${column}`)
  }

  function become(cell) {
    for (const other of region().querySelectorAll("tbody > tr > [tabindex='0']")) other.tabIndex = -1
    cell.tabIndex = 0
    card = rowAt(cell).dataset.card
    column = cell.className
  }

  function enter(cell) {
    const row = rowAt(cell)
    if (cell.className === "of-select") cell.firstElementChild.click()
    else if (cell.className === "of-title" && "edit" in row.dataset) edit(cell)
    else if (!ASKS[cell.className] || !tellRow(row, ASKS[cell.className], { isOwn: true })) linkOf(row).click()
  }

  function edit(cell) {
    const { card: pk, version } = rowAt(cell).dataset
    editTitle(cell, region().querySelector("thead .of-title").textContent.trim(), {
      typed: refused.get(pk),
      save: (title, takeBack) => rename(cell, { card: pk, title, version: Number(version) }, takeBack),
      discard: () => refused.delete(pk),
      settle,
      leave: (step) => go(beside(cell, step) ?? cell),
    })
  }

  // The row stays until the server has answered. What it refuses is edited again, unless somebody does something else meanwhile.
  function rename(cell, change, takeBack) {
    refused.delete(change.card)
    cell.dataset.saving = ""
    main.dispatchEvent(new CustomEvent("board:rename", { detail: { ...change, answered: (isAccepted) => {
      delete cell.dataset.saving
      if (!isAccepted) {
        refused.set(change.card, change.title)
        takeBack()
        if (isFree()) edit(cell)
      }
      settle()
    } } }))
  }

  const settle = () => main.dispatchEvent(new CustomEvent("rows:settled"))
}

const isFree = () => !region().querySelector("[data-editing]") && document.activeElement.matches(`body, ${CELL}`)

function go(cell) {
  cell.focus({ preventScroll: true })
  cell.scrollIntoView({ block: "nearest", inline: "nearest" })
}

function neighbour(cell, event) {
  const { ctrlKey, metaKey, altKey, shiftKey } = event, isFar = ctrlKey || metaKey
  if (altKey || (shiftKey && (isFar || !SELECTING.includes(event.key)))) return undefined
  const cells = shownIn(cell.parentElement), rows = [...cell.closest("tbody").rows]
  const at = cells.indexOf(cell), row = rows.indexOf(cell.parentElement)
  const below = (to) => rows[to] && (shownIn(rows[to]).find(({ className }) => className === cell.className) ?? titleIn(rows[to]))
  const near = {
    ArrowLeft: () => cells[at - 1],
    ArrowRight: () => cells[at + 1],
    ArrowUp: () => below(row - 1),
    ArrowDown: () => below(row + 1),
    Home: () => cells[0],
    End: () => cells.at(-1),
  }
  const far = { Home: () => shownIn(rows[0])[0], End: () => shownIn(rows.at(-1)).at(-1) }
  return (isFar ? far : near)[LETTERS[keyOf(event)] ?? event.key]?.()
}

function beside(cell, step) {
  const cells = shownIn(cell.parentElement)
  return cells[cells.indexOf(cell) + step]
}

const titleIn = (row) => row.querySelector(".of-title")

// A phone shows a part of the cells.
const shownIn = (row) => [...row.cells].filter((cell) => cell.checkVisibility())
