// What is pasted: Markdown is read by the server, an address over a selection becomes its link, rich text is tidied first.
import { safeAddress } from "../../vendor/editor.js";
import { asDocument } from "./markdown.js";
import { members } from "./people.js";

const LOOKS = [
  /^#{1,6} \S/m, /^\s*[-*+] \S/m, /^\s*\d+[.)] \S/m, /^> /m, /^(```|~~~)/m, /^\|.*\|\s*$/m, /^ {0,3}(-{3,}|\*{3,})\s*$/m,
  /\*\*\S.*?\S\*\*|__\S.*?\S__|~~\S.*?\S~~|`[^`\n]+`/, /\[[^\]\n]+\]\([^)\s]+\)/,
]
const LONGEST = 20000
const PREVIEW = /^\/attachments\/[-0-9a-f]{36}\/preview$/
const STYLES = [["strong", /font-weight:\s*(?:bold|[6-9]00)/], ["em", /font-style:\s*italic/], ["s", /text-decoration[^;]*line-through/]]
const WIDEST = 50 // columns
const BLOCKS = "address, article, blockquote, div, dl, h1, h2, h3, h4, h5, h6, li, ol, p, pre, section, ul"

// Returns ProseMirror's properties. `editor` returns the editor, `insert` replaces a range of it by a document.
export const pasting = (editor, insert) => ({
  handlePaste: (view, { clipboardData: data }) => Boolean(data) && (linkSelection(editor(), data) || readMarkdown(editor(), view, data, insert)),
  transformPastedHTML: tidy,
})

function linkSelection(editor, data) {
  const text = data.getData("text/plain").trim()
  const href = /^(?:https?:\/\/|mailto:)\S+$/i.test(text) && safeAddress(text)
  if (!href || editor.state.selection.empty || editor.isActive("codeBlock")) return false
  return editor.chain().setMark("link", { href }).run()
}

// The text is there at once, as it was copied, and becomes what it means when the server has read it. Undo brings it back.
function readMarkdown(editor, view, data, insert) {
  const text = data.getData("text/plain").replace(/\r\n?/g, "\n")
  const isRich = data.types.includes("text/html") && !data.types.includes("vscode-editor-data")
  if (isRich || text.length > LONGEST || editor.isActive("codeBlock") || !LOOKS.some((pattern) => pattern.test(text))) return false
  const { from } = view.state.selection
  view.pasteText(text)
  const range = { from, to: view.state.selection.to }
  const follow = ({ transaction: { mapping } }) => Object.assign(range, { from: mapping.map(range.from, -1), to: mapping.map(range.to, 1) })
  editor.on("transaction", follow)
  asDocument(text)
    .then((document) => { if (!editor.isDestroyed && range.from < range.to) insert(range, document) })
    .catch(() => {}) // it stays plain text
    .finally(() => editor.off("transaction", follow))
  return true
}

// Images become links, styles become marks, and a cell of a table gets one paragraph and no neighbour's place.
function tidy(html) {
  const { body } = new DOMParser().parseFromString(html.replace(/(<[^>]*?\s)style\s*=/gi, "$1data-style="), "text/html") // our policy forbids styles
  for (const styled of body.querySelectorAll("[data-style]")) mark(styled, styled.dataset.style.toLowerCase())
  for (const mention of body.querySelectorAll(".mention:not([data-id])")) name(mention)
  for (const image of body.querySelectorAll("img")) image.replaceWith(...linkTo(image))
  for (const cell of body.querySelectorAll("td, th")) {
    for (let left = Math.min(cell.colSpan, WIDEST); left > 1; left -= 1) cell.after(document.createElement("td"))
    for (const block of cell.querySelectorAll(`br, ${BLOCKS}`)) block.replaceWith(...block.childNodes, " ")
  }
  return body.innerHTML
}

// What word processors write as a style. Google Docs puts all that is copied into a <b> that is not bold.
function mark(styled, style) {
  if (styled.matches("b, strong") && /font-weight:\s*(?:normal|400)/.test(style)) styled.replaceWith(...styled.childNodes)
  else for (const [tag, pattern] of STYLES) if (pattern.test(style)) wrap(styled, tag)
}

function wrap(element, tag) {
  const around = document.createElement(tag)
  around.append(...element.childNodes)
  element.append(around)
}

// A mention that is read names nobody by an id. It is one again if exactly one member of this board has the name.
function name(mention) {
  const those = members().filter((member) => `@${member.name}` === mention.textContent.trim())
  if (those.length === 1) mention.dataset.id = those[0].id
}

// A picture that was copied from a text of this service stays one: the server makes a link of it on another card.
function linkTo({ src, alt, ownerDocument: document }) {
  const { origin, pathname } = URL.canParse(src) ? new URL(src) : {}
  if (origin === location.origin && PREVIEW.test(pathname)) return [pictureOf(pathname, alt, document)]
  if (!/^https?:/i.test(src)) return alt ? [alt] : []
  return [Object.assign(document.createElement("a"), { href: src, textContent: alt || src })]
}

function pictureOf(path, alt, document) {
  const picture = document.createElement("img")
  picture.setAttribute("src", path)
  picture.alt = alt
  return picture
}
