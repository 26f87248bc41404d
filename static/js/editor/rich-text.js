// Loads the editor when the form of a text opens. Until it has come, and where it cannot be loaded, the field takes Markdown.
import { withMentions } from "./mentions.js";
import { showError } from "../kit/toasts.js";

const PLAIN = 'form[data-editor="at will"] textarea:not([name=document])'
const FORM = "form[data-editor]"
const MARKDOWN = `${FORM} textarea:not([name=document])`

export default function richText(board) {
  // Before the click opens the form (edit-in-place.js): after that the text is hidden.
  board.addEventListener("click", (event) => {
    const text = event.target.closest("[data-part] > .prose")
    const form = text?.parentElement.querySelector(":scope > details.edit > form[data-editor]")
    if (form) form.dataset.cursor = charactersBefore(text, event)
  }, true)
  board.addEventListener("toggle", ({ target: details }) => {
    const form = details.querySelector(":scope > form[data-editor]")
    if (form && !details.open) form.dispatchEvent(new Event("editor:close"))
    else if (form?.dataset.editor === "") open(form)
  }, true)
  board.addEventListener("editor:restore", ({ target: form }) => {
    const stored = form.querySelector("textarea[name=document]")
    if (form.dataset.editor === "at will" && stored.value !== stored.defaultValue) open(form)
  })
  board.addEventListener("click", ({ target }) => {
    const button = target.closest("[data-open-editor]")
    if (button) translate(button.form).catch((error) => showError(error.words ?? board.dataset.failed))
  })
  board.addEventListener("input", ({ target, isComposing }) => { if (!isComposing) suggest(target) })
  board.addEventListener("focusin", ({ target }) => offer(target))
  board.addEventListener("formdata", ({ target: form, formData }) => {
    const [markdown] = form.matches(FORM) ? form.querySelectorAll("textarea:enabled:not([name=document])") : []
    if (markdown) formData.set(markdown.name, withMentions(markdown.value))
  })
  // What was done before this module came.
  suggest(document.activeElement)
  offer(document.activeElement)
  for (const form of board.querySelectorAll('details[open] > form[data-editor=""]')) open(form)
}

async function suggest(field) {
  if (!field.matches(MARKDOWN) || !field.value.includes("@")) return
  (await import("./mention-field.js")).suggestIn(field)
}

async function offer(field) {
  if (field.matches(PLAIN)) (await import("./markdown-bar.js")).addBar(field)
}

async function open(form) {
  const before = form.dataset.editor
  form.dataset.editor = "loading"
  try {
    const { default: mount } = await import("./editor-field.js")
    form.dataset.editor = "open"
    mount(form)
  } catch (error) {
    form.dataset.editor = before
    reportError(error)
  }
}

// A comment is stored as the Markdown that was written, so its document is the server's translation. What is typed meanwhile
// is translated too.
async function translate(form) {
  if (form.dataset.editor !== "at will") return
  form.dataset.editor = "loading" // a second press opens no second editor
  try {
    const [{ asDocument }] = await Promise.all([import("./markdown.js"), import("./editor-field.js")])
    const [markdown, stored] = form.querySelectorAll("textarea"), { defaultValue } = markdown
    const json = async (text) => (text.trim() ? JSON.stringify(await asDocument(text)) : "")
    let value
    stored.defaultValue = await json(defaultValue)
    do {
      value = markdown.value
      stored.value = value === defaultValue ? stored.defaultValue : await json(value)
    } while (value !== markdown.value)
    markdown.value = defaultValue
  } finally {
    form.dataset.editor = "at will"
  }
  await open(form)
}

// Returns how many characters of the text stand before the place that was clicked.
function charactersBefore(text, { clientX, clientY }) {
  const at = document.caretPositionFromPoint?.(clientX, clientY)
  if (!at || !text.contains(at.offsetNode)) return text.textContent.length
  const range = document.createRange()
  range.setStart(text, 0)
  range.setEnd(at.offsetNode, at.offset)
  return range.toString().length
}
