// The menu of a row: one for all rows, which sends what keys send.
import { menuSheet } from "../kit/menu-sheet.js";
import { linkOf, rowAt, rowOf, tellRow } from "./rows.js";

export default function rowMenu(menu) {
  let card
  const sheet = menuSheet(menu, {
    choose: (name) => rowOf(card) && tellRow(rowOf(card), name),
    home: () => rowOf(card) && linkOf(rowOf(card)),
  })

  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".row-more")
    if (!button) return
    const row = rowAt(button)
    card = row.dataset.card
    sheet.word("done", row.matches(".done"))
    sheet.open(button, { atEnd: true })
  })
  addEventListener("popstate", () => menu.hidePopover()) // its row may leave
}
