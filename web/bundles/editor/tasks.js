// `- [ ] ` as it is typed: the bullet comes first, so it is in an item of a list that the box is written. Its list
// becomes one of tasks then, as by the toolbar; in a task it is left out.
import { Extension, InputRule } from "@tiptap/core"

const BOX = /^(?:[-*+] )?\[([ x]?)\] $/i

export const tasks = Extension.create({
  name: "tasks",
  priority: 1000, // before TipTap's own rule, which can only wrap a paragraph
  addInputRules: () => [new InputRule({ find: BOX, handler: box })],
})

function box({ state: { selection: { $from } }, range, match, chain }) {
  const item = $from.node(-1)?.type.name
  if (!["listItem", "taskItem"].includes(item) || $from.index(-1) > 0) return null
  const edit = chain().deleteRange(range)
  if (item === "listItem") edit.toggleTaskList()
  return edit.updateAttributes("taskItem", { checked: match[1].toLowerCase() === "x" }).run()
}
