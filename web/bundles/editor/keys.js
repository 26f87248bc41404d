// Keys beside TipTap's. Tab indents an item or goes to the next cell; where it can do neither, it leaves the editor.
import { Extension } from "@tiptap/core"

import { nextCell, nextRow } from "./tables.js"

export const indent = ({ commands }) => commands.sinkListItem("taskItem") || commands.sinkListItem("listItem")
export const outdent = ({ commands }) => commands.liftListItem("taskItem") || commands.liftListItem("listItem")

export const keys = Extension.create({
  name: "keys",
  priority: 1000,
  addKeyboardShortcuts() {
    const { editor } = this
    return {
      Tab: () => nextCell(editor, 1) || indent(editor),
      "Shift-Tab": () => nextCell(editor, -1) || (depth(editor) > 1 && outdent(editor)),
      "Mod-]": () => indent(editor),
      "Mod-[": () => outdent(editor),
      Enter: () => nextRow(editor),
    }
  },
})

function depth({ state: { selection: { $from } } }) {
  return Array.from({ length: $from.depth }, (_, level) => $from.node(level)).filter(({ type }) => type.name.endsWith("List")).length
}
