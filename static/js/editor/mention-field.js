// Suggests the board's members behind an @ in a field for Markdown. The list stands below the field.
import { inField } from "./mentions.js";
import { BEHIND_AT, peopleList } from "./people.js";

const known = new WeakMap()

// Called for each input in the field.
export function suggestIn(field) {
  if (!known.has(field)) known.set(field, wire(field))
  known.get(field)()
}

function wire(field) {
  const list = document.getElementById("editor").content.querySelector("[role=listbox]").cloneNode(true)
  const people = peopleList(list, field, { take, dismiss: () => { dismissed = start } })
  let start // of the @
  let dismissed

  list.classList.add("below")
  field.after(list)
  field.addEventListener("blur", people.close)
  field.addEventListener("selectionchange", look)
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || !people.handleKey(event)) return
    event.preventDefault()
    event.stopPropagation() // Escape would close the form, or the card
  })
  return look

  function look() {
    const { value, selectionStart, selectionEnd } = field
    const found = selectionStart === selectionEnd && BEHIND_AT.exec(value.slice(0, selectionStart))
    if (!found || document.activeElement !== field) return people.close()
    start = selectionStart - found[1].length - 1
    if (start === dismissed) return people.close()
    dismissed = undefined
    return people.show(found[1])
  }

  function take(id, name) {
    field.setRangeText(`${inField(id, name)} `, start, field.selectionStart, "end")
    field.dispatchEvent(new Event("input", { bubbles: true })) // for drafts
  }
}
