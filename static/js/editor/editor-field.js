// Puts the editor in the place of a form's Markdown field. The document goes into the hidden field `document`, which the server
// reads instead of the Markdown while it is enabled. What is typed is known by these fields, as in any form (busy.js).
import { createEditor, documentOf, insertDocument, placeCursor } from "../../vendor/editor.js";
import { agreed } from "../kit/ask.js";
import { hasUnsavedText } from "../kit/busy.js";
import { filing } from "./editor-files.js";
import { pasting } from "./editor-paste.js";
import { suggestPeople } from "./editor-people.js";
import { wireToolbar } from "./editor-toolbar.js";
import { asDocument, asMarkdown } from "./markdown.js";
import { showError } from "../kit/toasts.js";

const AROUND = { top: 96, bottom: 64, left: 0, right: 0 } // pixels that the toolbar covers

export default function mount(form) {
  const markdown = form.querySelector("textarea:not([name=document])")
  const stored = form.querySelector("textarea[name=document]")
  const shell = document.getElementById("editor").content.firstElementChild.cloneNode(true)
  const change = shell.querySelector("[data-mode]")
  const held = new MutationObserver(() => editor.setEditable(!form.hasAttribute("data-sent"), false))
  const left = new AbortController()
  const { signal } = left
  const atWill = form.querySelector("[data-open-editor]")
  const drafted = stored.value
  const pasted = pasting(() => editor, (range, document) => insertDocument(editor, range, document))
  let people

  const editor = createEditor({
    element: shell.querySelector(".text"),
    content: stored.defaultValue ? JSON.parse(stored.defaultValue) : null,
    words: { task: shell.dataset.task },
    onUpdate: keep,
    editorProps: {
      scrollMargin: AROUND,
      scrollThreshold: AROUND,
      // The tabindex lets it keep the focus while it is sent, when it cannot be edited.
      attributes: { tabindex: "0", "aria-label": markdown.getAttribute("aria-label"), "aria-multiline": "true", "aria-describedby": "editor-keys", class: "prose", role: "textbox" },
      handleKeyDown: (_view, event) => people.handleKey(event) || ownKey(event),
      ...pasted,
      ...filing(() => editor, pasted.handlePaste),
    },
  })
  const toolbar = wireToolbar(shell, editor)
  people = suggestPeople(shell, editor)
  markdown.before(shell)
  form.querySelector(".buttons").append(change)
  if (atWill) atWill.hidden = true
  form.querySelector("[data-hint]")?.toggleAttribute("hidden", true)

  const isUntouched = drafted === stored.defaultValue
  stored.defaultValue = JSON.stringify(documentOf(editor))
  stored.value = isUntouched ? stored.defaultValue : drafted
  restore()
  held.observe(form, { attributeFilter: ["data-sent"] })
  change.addEventListener("click", switchMode, { signal })
  form.addEventListener("keydown", press, { signal })
  form.addEventListener("click", (event) => { if (event.target.closest("[data-leave]")) ask(event) }, { signal })
  form.addEventListener("editor:restore", restore, { signal })
  form.addEventListener("editor:close", unmount, { signal })

  function keep() {
    stored.value = JSON.stringify(documentOf(editor))
    markdown.dispatchEvent(new Event("input", { bubbles: true })) // for drafts, and a refusal that stands there
  }

  function show(isRich) {
    shell.hidden = stored.disabled = !isRich
    markdown.hidden = markdown.disabled = isRich
    change.textContent = change.dataset[isRich ? "markdown" : "rich"]
    if (!isRich) return markdown.focus()
    placeCursor(editor, Number(form.dataset.cursor ?? Infinity))
    delete form.dataset.cursor
    return editor.view.focus()
  }

  // A draft has been put into the fields.
  function restore() {
    if (stored.value !== stored.defaultValue) editor.commands.setContent(JSON.parse(stored.value), { emitUpdate: true })
    show(markdown.value === markdown.defaultValue)
  }

  // Nothing changes before the server has translated the text.
  async function switchMode() {
    const toRich = shell.hidden
    change.disabled = true
    try {
      if (toRich) {
        editor.commands.setContent(await asDocument(markdown.value), { emitUpdate: false })
        markdown.value = markdown.defaultValue
      } else {
        markdown.value = await asMarkdown(documentOf(editor))
        stored.value = stored.defaultValue
      }
      show(toRich)
      if (toRich) keep()
    } catch (error) {
      showError(error.words ?? form.closest("main").dataset.failed)
    }
    change.disabled = false
  }

  // Returns whether it is none of the editor's keys.
  function ownKey(event) {
    if (event.altKey && event.key === "F10") return toolbar.focus()
    if (!event.ctrlKey && !event.metaKey) return false
    if (event.key.toLowerCase() !== "k") return event.key === "Enter"
    event.stopPropagation()
    return toolbar.editLink()
  }

  function press(event) {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && shell.contains(event.target)) {
      event.preventDefault()
      form.querySelector("button.primary").click()
    } else if (event.key === "Escape" && !event.isComposing) ask(event)
  }

  // Closes the form itself once the reader has agreed to lose the text.
  async function ask(event) {
    if (!form.closest("details") || !hasUnsavedText(form)) return
    event.preventDefault()
    event.stopPropagation()
    if (!await agreed("discard")) return
    for (const field of form.querySelectorAll("textarea, input:not([type=hidden])")) field.value = field.defaultValue // also the toolbar's
    form.querySelector("[data-leave]").click()
  }

  function unmount() {
    left.abort()
    held.disconnect()
    editor.destroy()
    shell.remove()
    change.remove()
    form.querySelector("[data-hint]")?.toggleAttribute("hidden", false)
    stored.disabled = true
    markdown.hidden = markdown.disabled = false
    form.dataset.editor = atWill ? "at will" : ""
    if (atWill) atWill.hidden = false
  }
}
