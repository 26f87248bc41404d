// Does what shortcuts, menus and the command palette ask for on cards: board:done, board:new-card and so on (shortcuts.js).
// With selected tiles, it is done to all of them.
import { askDue } from "./ask-due.js";
import { sendMine } from "./assign-me.js";
import { cardsMeant } from "./cards-meant.js";
import { isDone, sendDone } from "./done.js";
import { currentTile } from "./roving.js";
import { sendCards } from "./send-cards.js";
import { showToast } from "../kit/toasts.js";

export default function cardActions(board) {
  const { copied } = document.getElementById("tile-menu").dataset
  const on = (name, act) => board.addEventListener(`board:${name}`, ({ detail: { card } }) => act(card))

  on("new-card", (card) => addCard(board, card))
  on("done", (card) => sendDone(cardsMeant(card), !cardsMeant(card).every(isDone)))
  on("assign-me", (card) => sendMine(cardsMeant(card)))
  on("archive", (card) => sendCards(cardsMeant(card), { archived: 1 }))
  on("copy-link", (card) => copyLink(`${location.origin}/board/${board.dataset.board}?card=${card}`, copied))
  for (const part of ["labels", "people"]) on(part, (card) => isSelection(card) ? openMenu(part) : openPart(board, card, part))
  on("copy", (card) => location.assign(`/card/${card}/copy`))
  on("cover", async (card) => (await import("./ask-cover.js")).default(cardsMeant(card)))
  on("due", (card) => isSelection(card) ? askDueOf(cardsMeant(card)) : openPart(board, card, "due"))
  board.addEventListener("click", (event) => {
    const button = event.target.closest("#completion")
    if (!button) return
    event.preventDefault() // its form, which is for pages without scripts
    sendDone([button.closest("#open-card").dataset.card], button.value === "1")
  })
}

const tileOf = (card) => document.getElementById(`card-${card}`)

// Opens the form at the foot of the card's list.
function addCard(board, card) {
  const list = (tileOf(card) ?? currentTile())?.closest(".list") ?? board.querySelector(".list[id]:not([data-collapsed])")
  list?.querySelector(".newcard:not([open]) > summary")?.click()
  list?.querySelector(".newcard textarea")?.focus()
}

const isSelection = (card) => cardsMeant(card).length > 1 || !cardsMeant(card).includes(card)

function askDueOf(cards) {
  const { textContent: words } = document.querySelector(".selection > [role=status]")
  askDue({ words, send: (fields) => sendCards(cards, fields) })
}

// Opens a menu of the bar for selected cards.
function openMenu(name) {
  const menu = document.querySelector(`.selection [data-menu="${name}"]`)
  if (menu) menu.open = true
  menu?.querySelector("button, summary")?.focus()
}

// Opens the card, if it is not open, and in it the form of one part.
function openPart(board, card, part) {
  const isOpen = document.getElementById("open-card")?.dataset.card === card
  if (isOpen) openForm(part)
  else board.dispatchEvent(new CustomEvent("board:open", { detail: { card, then: () => openForm(part) } }))
}

function openForm(part) {
  const details = document.querySelector(`#open-card [data-part="${part}"] details`)
  if (!details?.open) details?.querySelector("summary").click()
  const field = details?.querySelector("input:not([type=hidden]), select, textarea") ?? details?.querySelector(".item")
  field?.focus()
}

async function copyLink(link, copied) {
  try {
    await navigator.clipboard.writeText(link)
    showToast(copied)
  } catch {
    showToast(link) // where the browser refuses, it can be copied by hand
  }
}
