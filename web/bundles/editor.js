// The editor of descriptions: static/vendor/editor.js. Here is what belongs to the document; the page's side of it (fields,
// toolbar, drafts) is in static/js/.
import { Editor } from "@tiptap/core"
import { Slice } from "@tiptap/pm/model"
import { TextSelection } from "@tiptap/pm/state"

import { blocks } from "./editor/blocks.js"
import { inlines } from "./editor/inlines.js"
import { keys } from "./editor/keys.js"
import { tables } from "./editor/tables.js"
import { tasks } from "./editor/tasks.js"

export { safeAddress } from "./editor/addresses.js"
export { indent, outdent } from "./editor/keys.js"
export { isInTable, tableCommands } from "./editor/tables.js"

// `words` are the labels of boxes. `options` are TipTap's.
export function createEditor({ words, ...options }) {
  return new Editor({
    injectCSS: false,
    enablePasteRules: false,
    extensions: [...blocks(words), ...inlines, ...tables, tasks, keys],
    parseOptions: { preserveWhitespace: "full" },
    ...options,
  })
}

// Returns the document in the form that the server accepts: no attributes that are null, or that only tables need in here.
// Empty paragraphs at the end are there to be clicked at.
export function documentOf(editor) {
  const document = slim(editor.getJSON())
  while (document.content.length > 1 && isEmptyParagraph(document.content.at(-1))) document.content.pop()
  return document
}

const isEmptyParagraph = (node) => node?.type === "paragraph" && !node.content

function slim({ attrs, content, marks, ...node }) {
  const kept = Object.entries(attrs ?? {}).filter(([name, value]) => value !== null && !["colspan", "rowspan", "colwidth"].includes(name))
  if (kept.length) node.attrs = Object.fromEntries(kept)
  if (marks) node.marks = marks.map(slim)
  if (content) node.content = content.map(slim)
  return node
}

// Replaces a range by a document. One paragraph alone goes into the paragraph that is there.
export function insertDocument(editor, { from, to }, document) {
  const { schema, tr } = editor.state
  const { content } = schema.nodeFromJSON(document)
  const alone = content.childCount === 1 && content.firstChild.type === schema.nodes.paragraph
  const slice = new Slice(alone ? content.firstChild.content : content, 0, 0)
  editor.view.dispatch(tr.replaceRange(from, to, slice).scrollIntoView())
}

// Puts the cursor behind as many characters of the document's text.
export function placeCursor(editor, characters) {
  let left = characters
  let at
  editor.state.doc.descendants((node, position) => {
    if (at !== undefined || !node.isInline) return at === undefined
    const length = node.isText ? node.text.length : node.attrs.label ? node.attrs.label.length + 1 : 0
    if (length && left <= length) at = position + (node.isText ? left : node.nodeSize)
    left -= length
    return false
  })
  const { doc, tr } = editor.state
  editor.view.dispatch(tr.setSelection(TextSelection.near(doc.resolve(at ?? doc.content.size), -1)).scrollIntoView())
}

