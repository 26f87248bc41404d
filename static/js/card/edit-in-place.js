// The small forms of a board: a click on a title opens its form, Enter saves a single line, Escape discards the change.
import { openClicked, openForm } from "../kit/open-form.js";

const SMALL = ":is(.edit, .newcard, .newlist)"
const TEXT = ".titled > :is(h1, h2, .text), [data-part=description] > .prose" // a click on it opens its form
const LINE = ".line, .newcard textarea, [data-quick] :is(input, textarea)"

// In fields of several lines Enter breaks the line, and Ctrl+Enter saves.
export default function editInPlace(board) {
  board.addEventListener("click", (event) => {
    const { target } = event
    if (target.closest("[data-leave]")) close(target.closest(SMALL))
    else if (target.closest("summary")) openClicked(event, SMALL)
    else if (!target.closest("a, button, input")) openText(board, target.closest(TEXT))
  })
  board.addEventListener("keydown", (event) => {
    const details = event.target.closest(`${SMALL}[open]`)
    if (event.isComposing) return
    if (event.key === "Enter" && savesNow(event)) submit(event, event.target)
    else if (event.key === "Escape" && details) leave(event, details)
  })
  // A picker that is closed by a click elsewhere forgets what was chosen in it and not saved.
  board.addEventListener("toggle", ({ target }) => {
    if (target.matches(".edit.menu:not([open])")) for (const form of target.querySelectorAll("form")) form.reset()
  }, true)
}

// Whether a click on a title may open its form: the reader may edit, and is not selecting text.
export const isEditable = (board) => board.dataset.role !== "viewer" && getSelection().isCollapsed

function openText(board, text) {
  const details = text?.parentElement.querySelector(":scope > .edit")
  if (!details || !isEditable(board)) return
  openForm(details)
}

function savesNow(event) {
  if (event.target.matches(LINE)) return !event.shiftKey
  return event.target.matches("textarea") && (event.ctrlKey || event.metaKey)
}

function submit(event, field) {
  event.preventDefault()
  const button = field.closest("[data-fields], form").querySelector("button.primary")
  if (field.value.trim() || !field.closest("[data-quick]")) button.click()
}

function leave(event, details) {
  event.preventDefault()
  event.stopPropagation()
  close(details)
}

function close(details) {
  for (const field of details.querySelectorAll("textarea, input:not([type=hidden])")) field.value = field.defaultValue
  details.querySelectorAll(".refusal").forEach((words) => words.remove())
  details.open = false
  details.querySelector("summary").focus()
}
