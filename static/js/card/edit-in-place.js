// The small forms of a board: a click on a title opens its form, Enter saves a single line, Escape discards the change.
const SMALL = ":is(.edit, .newcard, .newlist)"
const TEXT = ".titled > :is(h1, h2, .text), [data-part=description] > .prose" // a click on it opens its form
const DOUBLE_CLICK = 500 // ms between two clicks
const NEAR = 10 // px
const LINE = ".line, .newcard textarea, [data-quick] :is(input, textarea)"

// In fields of several lines Enter breaks the line, and Ctrl+Enter saves.
export default function editInPlace(board) {
  board.addEventListener("click", (event) => {
    const { target } = event
    const summary = target.closest("summary")
    if (target.closest("[data-leave]")) close(target.closest(SMALL))
    else if (summary?.parentElement.matches(`${SMALL}:not([open])`)) openNow(event, summary.parentElement)
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

// The field has the focus at once: by the time of a toggle event the first letter may already have been typed.
function openNow(event, details) {
  event.preventDefault()
  details.open = true
  focusFirst(details)
  if (event.detail) details.addEventListener("click", (next) => passOver(next, event), { capture: true, once: true })
}

// The second click of a double click would hit what has opened below the pointer.
function passOver(next, first) {
  const isSecond = next.timeStamp - first.timeStamp < DOUBLE_CLICK
  if (!isSecond || Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY) > NEAR) return
  next.preventDefault()
  next.stopPropagation()
  focusFirst(next.currentTarget) // the press gave the focus away
}

// Whether a click on a title may open its form: the reader may edit, and is not selecting text.
export const isEditable = (board) => board.dataset.role !== "viewer" && getSelection().isCollapsed

function openText(board, text) {
  const details = text?.parentElement.querySelector(":scope > .edit")
  if (!details || !isEditable(board)) return
  details.open = true
  focusFirst(details)
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

function focusFirst(details) {
  const field = details.querySelector("textarea, input:not([type=hidden]), select")
  if (!field) return
  field.focus()
  if (field.matches("textarea")) field.setSelectionRange(field.value.length, field.value.length)
  else field.select?.()
}
