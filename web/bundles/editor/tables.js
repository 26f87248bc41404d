// Tables as Markdown knows them: the first row is the head, a cell holds one paragraph, and none spans several.
import { Extension, Node } from "@tiptap/core"
import { Plugin, TextSelection } from "@tiptap/pm/state"
import {
  addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable, goToNextCell, isInTable, selectedRect,
  tableEditing,
} from "@tiptap/pm/tables"

export { isInTable }

export const tableCommands = { addColumnAfter, addColumnBefore, addRowAfter, addRowBefore, deleteColumn, deleteRow, deleteTable }

// prosemirror-tables needs these attributes. They always have these values, and `documentOf` leaves them out.
const ALWAYS = { colspan: 1, rowspan: 1, colwidth: null }
const attributes = () => Object.fromEntries(Object.entries(ALWAYS).map(([name, value]) => [name, { default: value, parseHTML: () => value, rendered: false }]))

const cell = (name, tableRole, tag) => Node.create({
  name,
  tableRole,
  content: "paragraph",
  isolating: true,
  addAttributes: attributes,
  parseHTML: () => [{ tag }],
  renderHTML: () => [tag, 0],
})

const Row = Node.create({
  name: "tableRow",
  tableRole: "row",
  content: "(tableCell | tableHeader)*",
  parseHTML: () => [{ tag: "tr" }],
  renderHTML: () => ["tr", 0],
})

const Table = Node.create({
  name: "table",
  tableRole: "table",
  group: "block",
  content: "tableRow+",
  isolating: true,
  parseHTML: () => [{ tag: "table" }],
  renderHTML: () => ["table", ["tbody", 0]],
  addCommands: () => ({ insertTable: () => insertTable }),
  addProseMirrorPlugins: () => [tableEditing(), new Plugin({ appendTransaction: (_changes, before, now) => (before.doc.eq(now.doc) ? null : headFirst(now)) })],
})

function insertTable({ state: { schema }, tr, dispatch }) {
  const { table, tableRow } = schema.nodes
  const row = (type) => tableRow.create(null, Array.from({ length: 3 }, () => schema.nodes[type].createAndFill()))
  if (dispatch) {
    const start = tr.selection.from
    tr.replaceSelectionWith(table.create(null, [row("tableHeader"), row("tableCell"), row("tableCell")]))
    tr.setSelection(TextSelection.near(tr.doc.resolve(start + 1))).scrollIntoView()
  }
  return true
}

// Makes the first row of each table its head, whatever was pasted, added or removed.
function headFirst({ doc, schema, tr }) {
  doc.descendants((node, position) => {
    if (node.type !== schema.nodes.table) return !node.isTextblock
    node.forEach((row, rowAt, number) => row.forEach((one, cellAt) => {
      const type = number ? schema.nodes.tableCell : schema.nodes.tableHeader
      if (one.type !== type) tr.setNodeMarkup(position + rowAt + cellAt + 2, type)
    }))
    return false
  })
  return tr.docChanged ? tr : null
}

// Goes to the next cell (1) or the one before (-1). Returns whether there is one.
export const nextCell = ({ state, view }, direction) => isInTable(state) && goToNextCell(direction)(state, view.dispatch)

// Goes to the row below, and adds one at the end. In an empty last row it removes that and leaves the table, as in a list.
export function nextRow(editor) {
  const { state, view } = editor
  if (!isInTable(state)) return false
  const { map, table, tableStart, top, left } = selectedRect(state)
  const isLast = top === map.height - 1
  if (isLast && top > 1 && !table.child(top).textContent) return leave(editor, tableStart)
  if (isLast) addRowAfter(state, view.dispatch)
  const { map: grown, tableStart: start } = selectedRect(view.state)
  const into = start + grown.map[(top + 1) * grown.width + left] + 1
  view.dispatch(view.state.tr.setSelection(TextSelection.near(view.state.doc.resolve(into))).scrollIntoView())
  return true
}

function leave({ state, view }, tableStart) {
  deleteRow(state, view.dispatch)
  const end = tableStart - 1 + view.state.doc.nodeAt(tableStart - 1).nodeSize
  const { tr, doc, schema } = view.state
  if (!doc.resolve(end).nodeAfter?.isTextblock) tr.insert(end, schema.nodes.paragraph.create())
  view.dispatch(tr.setSelection(TextSelection.near(tr.doc.resolve(end + 1))).scrollIntoView())
  return true
}

export const tables = [Table, Row, cell("tableHeader", "header_cell", "th"), cell("tableCell", "cell", "td"), roles()]

// Tells prosemirror-tables which of our nodes is what.
function roles() {
  return Extension.create({ name: "tableRoles", extendNodeSchema: ({ config }) => (config.tableRole ? { tableRole: config.tableRole } : {}) })
}
