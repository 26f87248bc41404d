// The editor's toolbar: what its buttons do, which of them are pressed, and the row that belongs to the place of the cursor.
import { indent, isInTable, outdent, safeAddress, tableCommands } from "../../vendor/editor.js";
import { choosePicture } from "./editor-files.js";
import { showRefusal } from "../kit/refusals.js";
import { roving } from "./toolbar-keys.js";

const DO = {
  undo: (chain) => chain.undo(),
  redo: (chain) => chain.redo(),
  "heading-1": (chain) => chain.toggleHeading({ level: 1 }),
  "heading-2": (chain) => chain.toggleHeading({ level: 2 }),
  "heading-3": (chain) => chain.toggleHeading({ level: 3 }),
  bold: (chain) => chain.toggleBold(),
  italic: (chain) => chain.toggleItalic(),
  strike: (chain) => chain.toggleStrike(),
  code: (chain) => chain.toggleCode(),
  bulletList: (chain) => chain.toggleBulletList(),
  orderedList: (chain) => chain.toggleOrderedList(),
  taskList: (chain) => chain.toggleTaskList(),
  blockquote: (chain) => chain.toggleBlockquote(),
  codeBlock: (chain) => chain.toggleCodeBlock(),
  table: (chain) => chain.insertTable(),
  horizontalRule: (chain) => chain.setHorizontalRule(),
  mention: (chain, { state: { selection: { $from } } }) => chain.insertContent(/\S$/.test($from.parent.textBetween(0, $from.parentOffset)) ? " @" : "@"),
}
const HEADING = /^heading-(\d)$/
const AT_HAND = { undo: (editor) => editor.can().undo(), redo: (editor) => editor.can().redo(), table: ({ state }) => !isInTable(state) }

export function wireToolbar(shell, editor) {
  const bar = shell.querySelector("[role=toolbar]")
  const buttons = [...bar.querySelectorAll("button")]
  const rows = Object.fromEntries([...shell.querySelectorAll("[data-row]")].map((row) => [row.dataset.row, row]))
  const address = rows.link.querySelector("input")
  const language = rows.code.querySelector("input")
  const focus = roving(bar)
  let drawing

  shell.addEventListener("mousedown", (event) => { if (event.target.closest("button")) event.preventDefault() }) // the selection stays
  shell.addEventListener("click", ({ target }) => press(target.closest("button")?.dataset.do))
  address.addEventListener("keydown", (event) => onEnter(event, applyLink))
  language.addEventListener("keydown", (event) => onEnter(event, () => editor.view.focus()))
  language.addEventListener("input", () => editor.commands.updateAttributes("codeBlock", { language: language.value.trim() || null }))
  rows.link.addEventListener("keydown", escape)
  bar.addEventListener("keydown", escape)
  editor.on("transaction", () => { drawing ??= requestAnimationFrame(draw) })
  editor.on("focus", () => { rows.link.hidden = true })
  draw()
  return { focus, editLink }

  function press(name) {
    if (!name) return
    if (name !== "link") editor.view.focus()
    if (name === "link") editLink()
    else if (name === "apply") applyLink()
    else if (name === "unlink") editor.chain().extendMarkRange("link").unsetMark("link").run()
    else if (name === "image") choosePicture(editor)
    else if (name === "indent") indent(editor)
    else if (name === "outdent") outdent(editor)
    else if (name in tableCommands) tableCommands[name](editor.state, editor.view.dispatch)
    else DO[name](editor.chain(), editor).run()
  }

  function editLink() {
    rows.link.hidden = false
    address.value = address.defaultValue = editor.getAttributes("link").href ?? ""
    address.select()
    return true
  }

  function applyLink() {
    const href = safeAddress(address.value)
    if (address.value.trim() && !href) return showRefusal(address, address.dataset.refused)
    editor.view.focus()
    const chain = editor.chain().extendMarkRange("link")
    if (!href) chain.unsetMark("link").run()
    else if (editor.state.selection.empty && !editor.isActive("link")) chain.insertContent({ type: "text", text: address.value.trim(), marks: [{ type: "link", attrs: { href } }] }).run()
    else chain.setMark("link", { href }).run()
    return address.value = address.defaultValue = ""
  }

  function draw() {
    drawing = undefined
    if (editor.isDestroyed) return
    for (const button of buttons) {
      const name = button.dataset.do
      const level = HEADING.exec(name)?.[1]
      if (button.hasAttribute("aria-pressed")) button.setAttribute("aria-pressed", String(level ? editor.isActive("heading", { level: Number(level) }) : editor.isActive(name)))
      if (AT_HAND[name]) button.setAttribute("aria-disabled", String(!AT_HAND[name](editor)))
    }
    rows.table.hidden = !isInTable(editor.state)
    rows.code.hidden = !editor.isActive("codeBlock")
    if (document.activeElement !== language) language.value = language.defaultValue = editor.getAttributes("codeBlock").language ?? ""
  }

  function escape(event) {
    if (event.key !== "Escape") return
    event.preventDefault()
    event.stopPropagation()
    editor.view.focus()
  }
}

function onEnter(event, then) {
  if (event.key !== "Enter" || event.isComposing) return
  event.preventDefault()
  event.stopPropagation()
  then()
}
