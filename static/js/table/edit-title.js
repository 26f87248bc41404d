// Edits the title of a card in its cell: Enter and Tab save it, Escape leaves it unchanged, and so does an empty field. What was
// refused is sent again by Enter and Tab alone.
const LONGEST = 500

// `typed` is what was refused, to begin with in place of the title; `save` gets the new title and what to call if it is refused;
// `discard` is called when it stays unchanged, and `leave` gets where to go: 0 to stay, 1 to the next cell, -1 back.
export function editTitle(cell, name, { typed, save, discard, settle, leave }) {
  const link = cell.querySelector(".title"), former = link.textContent
  const field = Object.assign(document.createElement("input"), { className: "input", value: typed ?? former, maxLength: LONGEST, autocomplete: "off" })
  field.setAttribute("aria-label", name)
  field.addEventListener("keydown", (event) => {
    const step = { Enter: 0, Escape: 0, Tab: event.shiftKey ? -1 : 1 }[event.key]
    event.stopPropagation() // keys of the grid
    if (step === undefined || event.isComposing) return
    event.preventDefault()
    end(event.key === "Escape" ? discard : saveTitle)
    leave(step)
  })
  field.addEventListener("blur", () => {
    if (field.value !== typed) end(saveTitle)
    else if (document.hasFocus()) end()
  })
  cell.dataset.editing = ""
  cell.append(field)
  field.select()

  function end(act) {
    if (!("editing" in cell.dataset)) return
    delete cell.dataset.editing
    field.remove()
    act?.()
    settle()
  }

  function saveTitle() {
    const title = field.value.trim()
    if (!title || title === former) return discard()
    link.textContent = title
    save(title, () => { link.textContent = former })
  }
}
