const DOUBLE_CLICK = 500 // ms between two clicks
const NEAR = 10 // px

// Opens a small form. Its first field has the focus at once: by the time of a toggle event the first letter may already have been typed.
export function openForm(details) {
  details.open = true
  const field = details.querySelector("textarea, input:not([type=hidden]), select")
  if (!field) return
  field.focus()
  if (field.matches("textarea")) field.setSelectionRange(field.value.length, field.value.length)
  else field.select?.()
}

// Opens the form whose button was clicked, if `forms` matches it and it is closed.
export function openClicked(event, forms) {
  const details = event.target.closest("summary")?.parentElement
  if (!details?.matches(`${forms}:not([open])`)) return
  event.preventDefault()
  openForm(details)
  if (event.detail) passOver(details, event, () => openForm(details))
}

// The second click of a double click would hit what has opened below the pointer. Its press gave the focus away: `focus` gives it back.
export function passOver(opened, first, focus) {
  opened.addEventListener("click", (next) => {
    const isSecond = next.timeStamp - first.timeStamp < DOUBLE_CLICK
    if (!isSecond || Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY) > NEAR) return
    next.preventDefault()
    next.stopPropagation()
    focus()
  }, { capture: true, once: true })
}
