// Suggests the board's members behind an @ in the editor. The list is drawn below the cursor.
import { BEHIND_AT, peopleList } from "./people.js";

export function suggestPeople(shell, editor) {
  const list = shell.querySelector("[role=listbox]")
  const people = peopleList(list, editor.view.dom, { take, dismiss: () => { dismissed = range.from } })
  let range // of the @ and what follows it
  let dismissed

  editor.on("transaction", ({ transaction }) => { if (transaction.docChanged || transaction.selectionSet) look() })
  editor.on("blur", people.close)
  return people

  function look() {
    const { $from, empty } = editor.state.selection
    const found = empty && !editor.isActive("codeBlock") && !editor.isActive("code") && BEHIND_AT.exec($from.parent.textBetween(0, $from.parentOffset, null, " "))
    if (!found || !editor.isFocused) return people.close()
    range = { from: $from.pos - found[1].length - 1, to: $from.pos }
    if (range.from === dismissed) return people.close()
    dismissed = undefined
    return people.show(found[1]) && lay()
  }

  function lay() {
    const at = editor.view.coordsAtPos(range.from)
    const around = list.offsetParent.getBoundingClientRect()
    list.style.top = `${at.bottom - around.top + 4}px`
    list.style.insetInlineStart = `${Math.max(0, Math.min(at.left - around.left, around.width - list.offsetWidth))}px`
  }

  function take(id, label) {
    const mention = [{ type: "mention", attrs: { id, label } }, { type: "text", text: " " }]
    editor.chain().insertContentAt(range, mention).run()
  }
}
