// The small forms of a board: a click on a title opens its form, Enter saves a single line, Escape discards the change.
const SMALL = ":is(.edit, .newcard, .newlist)"
const LINE = "textarea.line, .newcard textarea, [data-quick] input"

// In fields of several lines Enter breaks the line, and Ctrl+Enter saves.
export default function editInPlace(board) {
  board.addEventListener("click", ({ target }) => {
    if (target.closest("[data-leave]")) close(target.closest(SMALL))
    else openTitle(board, target.closest(".titled > :is(h1, h2, .text)"))
  })
  board.addEventListener("toggle", ({ target }) => {
    if (target.open && target.matches(SMALL)) focusFirst(target)
  }, true)
  board.addEventListener("keydown", (event) => {
    const details = event.target.closest(`${SMALL}[open]`)
    if (event.isComposing) return
    if (event.key === "Enter" && savesNow(event)) submit(event, event.target)
    else if (event.key === "Escape" && details) leave(event, details)
  })
}

function openTitle(board, title) {
  const details = title?.parentElement.querySelector(":scope > .edit")
  if (!details || board.dataset.role === "viewer" || !getSelection().isCollapsed) return
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

// The toggle event comes late: a field that already has the focus keeps its caret.
function focusFirst(details) {
  const field = details.querySelector("textarea, input:not([type=hidden]), select")
  if (!field || field === document.activeElement) return
  field.focus()
  if (field.matches("textarea")) field.setSelectionRange(field.value.length, field.value.length)
}
