// Finds what a menu of the open card offers, labels or people, while its name is typed. Enter adds or removes the one that is
// found; where none has the name, it creates a label. Arrows go through what is left.
const STEPS = { ArrowDown: 1, ArrowUp: -1 }

export default function pickByName(picker) {
  const form = picker.querySelector("form")
  const field = form.querySelector("input:not([type=hidden])")
  const ofNew = form.querySelector(".of-new") // of labels alone
  const offered = () => [...picker.querySelectorAll("[role=checkbox]")]
  const left = () => offered().filter((one) => !one.hidden)
  const nameOf = (one) => one.querySelector("[data-name]").dataset.name.toLocaleLowerCase()
  const typed = () => field.value.trim().toLocaleLowerCase()

  field.addEventListener("input", show)
  form.addEventListener("submit", (event) => {
    if ("editing" in picker.dataset) return // edit-label.js
    const isByEnter = event.submitter !== document.activeElement
    const found = isByEnter ? meant() : undefined
    if (typed() && !found && ofNew) return // send-forms.js creates it
    event.preventDefault()
    event.stopPropagation()
    if (typed() && !found) return
    clear()
    found?.click()
  })
  picker.addEventListener("keydown", (event) => {
    const stops = [field, ...left()], at = stops.indexOf(document.activeElement), next = stops[at + STEPS[event.key]]
    if (event.isComposing || at < 0 || !next) return
    event.preventDefault()
    next.focus()
  })
  picker.closest("details").addEventListener("toggle", ({ target }) => {
    if (!target.open) clear()
    else if (matchMedia("(hover: hover)").matches) field.focus({ preventScroll: true }) // else a keyboard would cover what is offered
  })

  function clear() {
    field.value = ""
    show()
  }

  function show() {
    if ("editing" in picker.dataset) return
    for (const one of offered()) one.hidden = !nameOf(one).includes(typed())
    if (ofNew) ofNew.hidden = !typed() || offered().some((one) => nameOf(one) === typed())
  }

  // One of just this name, or else the only one that is left.
  function meant() {
    return typed() ? left().find((one) => nameOf(one) === typed()) ?? (left().length === 1 ? left()[0] : undefined) : undefined
  }

  new MutationObserver(show).observe(picker, { childList: true }) // what others have changed came
  show()
}
