// The menu of a row: one for all rows, which sends what keys send.
import { linkOf, rowAt, rowOf, tellRow } from "./rows.js";

export default function rowMenu(menu) {
  let card
  const entries = [...menu.querySelectorAll("[data-tell]")]

  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".row-more")
    if (button) open(rowAt(button), button)
  })
  menu.addEventListener("keydown", (event) => {
    const at = entries.indexOf(document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === "Tab" || event.key === "Escape") close()
    else if (to === undefined) return
    else entries.at(to % entries.length).focus()
    event.preventDefault()
  })
  menu.addEventListener("click", ({ target }) => {
    const name = target.closest("[data-tell]")?.dataset.tell
    if (!name) return
    close()
    if (rowOf(card)) tellRow(rowOf(card), name)
  })

  function open(row, button) {
    card = row.dataset.card
    const done = menu.querySelector("[data-tell=done] > [data-undo]")
    done.textContent = done.dataset[row.matches(".done") ? "undo" : "do"]
    menu.showPopover()
    const { right, top, bottom } = button.getBoundingClientRect()
    const isLow = bottom + menu.offsetHeight + 12 > innerHeight
    menu.style.left = `${Math.max(8, Math.min(right - menu.offsetWidth, innerWidth - menu.offsetWidth - 8))}px`
    menu.style.top = `${Math.max(8, isLow ? top - menu.offsetHeight - 4 : bottom + 4)}px`
    entries[0].focus()
  }

  function close() {
    menu.hidePopover()
    const row = rowOf(card)
    if (row) linkOf(row).focus({ preventScroll: true })
  }
}
