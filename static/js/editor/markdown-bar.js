// A toolbar below a plain field for Markdown. Its buttons and keys write signs as typing does, so that the browser can undo it.
import { roving } from "./toolbar-keys.js";

const DO = {
  bold: (field) => surround(field, "**"),
  italic: (field) => surround(field, "_"),
  link,
  list,
  code: (field) => (selected(field).includes("\n") ? surround(field, "```\n", "\n```") : surround(field, "`")),
  mention: (field) => type(field, /\S$/.test(field.value.slice(0, field.selectionStart)) ? " @" : "@"),
}
const KEYS = { b: "bold", i: "italic", k: "link", e: "code" } // with Ctrl or ⌘

export function addBar(field) {
  const { form } = field
  if (form.querySelector(".markdown-bar")) return
  const bar = document.getElementById("markdown-bar").content.firstElementChild.cloneNode(true)
  const focus = roving(bar)
  for (const button of bar.querySelectorAll("button")) nameKeys(button)
  form.querySelector(".buttons").before(bar)
  bar.addEventListener("mousedown", (event) => event.preventDefault()) // the field keeps the focus and the selection
  bar.addEventListener("click", ({ target }) => {
    const name = target.closest("button")?.dataset.do
    field.focus()
    DO[name]?.(field)
  })
  bar.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return
    event.preventDefault()
    event.stopPropagation() // it would close the form, or the card
    field.focus()
  })
  field.addEventListener("keydown", (event) => {
    if (event.altKey && event.key === "F10") return event.preventDefault(focus())
    const name = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey && KEYS[event.key.toLowerCase()]
    if (!name || event.isComposing) return undefined
    event.preventDefault()
    event.stopPropagation() // Ctrl+K is the command palette elsewhere
    return DO[name](field)
  })
}

function nameKeys(button) {
  const keys = button.querySelector("kbd")
  const own = keys?.querySelector(document.body.dataset.keyboard === "apple" ? ".apple-key" : ".others-key") ?? keys
  button.title = own ? `${button.ariaLabel} (${own.textContent})` : button.ariaLabel
  keys?.remove()
}

const selected = ({ value, selectionStart, selectionEnd }) => value.slice(selectionStart, selectionEnd)

// Puts signs around what is selected, or takes them away.
function surround(field, before, after = before) {
  const { value, selectionStart: start, selectionEnd: end } = field
  const text = selected(field)
  if (value.slice(start - before.length, start) === before && value.startsWith(after, end)) {
    field.setSelectionRange(start - before.length, end + after.length)
    type(field, text)
    field.setSelectionRange(start - before.length, end - before.length)
  } else {
    type(field, before + text + after)
    field.setSelectionRange(start + before.length, end + before.length)
  }
}

// Selects what is left to write: the address, or the words for an address.
function link(field) {
  const { selectionStart: start } = field
  const text = selected(field)
  if (/^(https?:\/\/|mailto:)\S+$/.test(text)) {
    type(field, `[](${text})`)
    field.setSelectionRange(start + 1, start + 1)
  } else {
    type(field, `[${text}](https://)`)
    const at = text ? start + text.length + 3 : start + 1
    field.setSelectionRange(at, text ? at + "https://".length : at)
  }
}

// Makes the lines that are selected items of a list, or plain lines again.
function list(field) {
  const { value, selectionStart, selectionEnd } = field
  const start = value.lastIndexOf("\n", selectionStart - 1) + 1
  const end = value.indexOf("\n", selectionEnd) === -1 ? value.length : value.indexOf("\n", selectionEnd)
  const lines = value.slice(start, end).split("\n")
  const isList = lines.every((line) => line.startsWith("- "))
  const changed = lines.map((line) => (isList ? line.slice(2) : line.startsWith("- ") ? line : `- ${line}`)).join("\n")
  field.setSelectionRange(start, end)
  type(field, changed)
  const from = lines.length > 1 ? start : start + changed.length
  field.setSelectionRange(from, start + changed.length)
}

// The one way to write into a field that the browser's own undo knows. Where it is gone, the text comes without.
function type(field, text) {
  if (document.execCommand(text ? "insertText" : "delete", false, text)) return
  field.setRangeText(text, field.selectionStart, field.selectionEnd, "end")
  field.dispatchEvent(new Event("input", { bubbles: true }))
}
