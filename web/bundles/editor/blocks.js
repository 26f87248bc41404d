// The blocks of the schema (boards/richtext/checking.py), with no attributes but those that the server keeps.
import { Blockquote } from "@tiptap/extension-blockquote"
import { CodeBlock } from "@tiptap/extension-code-block"
import { Document } from "@tiptap/extension-document"
import { Heading } from "@tiptap/extension-heading"
import { HorizontalRule } from "@tiptap/extension-horizontal-rule"
import { BulletList, ListItem, ListKeymap, OrderedList, TaskItem, TaskList } from "@tiptap/extension-list"
import { Paragraph } from "@tiptap/extension-paragraph"
import { Dropcursor, Gapcursor, TrailingNode, UndoRedo } from "@tiptap/extensions"

const NumberedList = OrderedList.extend({
  addAttributes: () => ({ start: { default: 1, parseHTML: (list) => (list.start >= 0 ? list.start : 1) } }),
})

// As the server writes them: numbers and bullets stand where the text of the list begins. It is no part of the document.
const byText = { HTMLAttributes: { dir: "auto" } }

// Tab is among our own keys.
const withoutTab = {
  addKeyboardShortcuts() {
    return { Enter: () => this.editor.commands.splitListItem(this.name) }
  },
}

export const blocks = ({ task }) => [
  Document,
  Paragraph,
  Heading,
  Blockquote.configure(byText),
  BulletList.configure(byText),
  NumberedList.configure(byText),
  ListItem.extend(withoutTab),
  TaskList.configure(byText),
  TaskItem.extend(withoutTab).configure({ nested: true, a11y: { checkboxLabel: ({ firstChild }) => firstChild?.textContent || task } }),
  ListKeymap,
  CodeBlock.extend({ addProseMirrorPlugins: () => [] }),
  HorizontalRule,
  UndoRedo,
  Dropcursor.configure({ class: "drop-cursor", color: false }),
  Gapcursor,
  TrailingNode,
]
