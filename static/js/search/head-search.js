// The field of the head shows the first results while somebody types. Arrows choose one, Enter takes it; without a choice Enter leads to
// the search page.
import { announce } from "../kit/announce.js";
import combobox from "../kit/combobox.js";
import { isNothingIn, jumpOptions, takeOption } from "../kit/jump-options.js";
import { isHalfTyped } from "../kit/typed-keys.js";

export default function headSearch(form) {
  const field = form.elements.q, panel = form.querySelector(".found")
  const list = panel.querySelector("[role=listbox]"), sentence = panel.querySelector("p")
  const { look, stop } = jumpOptions(field, list, { changed: show, failed: fail, isShown: () => !panel.hidden })
  const options = combobox(field, list, (option, event) => {
    hide()
    takeOption(option, event)
  })

  field.addEventListener("input", (event) => {
    options.choose()
    if (!isHalfTyped(event)) ask()
  })
  field.addEventListener("compositionend", () => ask())
  field.addEventListener("focus", () => ask({ now: true }))
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || panel.hidden || event.isComposing) return
    event.preventDefault() // which would empty the field
    event.stopPropagation()
    hide()
  })
  field.addEventListener("blur", hide)
  form.addEventListener("submit", hide)
  addEventListener("pagehide", hide)
  if (document.activeElement === field) ask({ now: true }) // typed before this script had come

  function ask(options) {
    if (field.value.trim()) look(options)
    else hide()
  }

  // What was chosen meanwhile stays so.
  function show() {
    options.choose(document.getElementById(field.getAttribute("aria-activedescendant")))
    open(isNothingIn(list) ? panel.dataset.nothing : "")
  }

  function fail(words) {
    list.replaceChildren()
    open(words ?? panel.dataset.failed)
  }

  function open(words) {
    panel.hidden = false
    sentence.textContent = words
    if (words) announce(words)
    field.setAttribute("aria-expanded", "true")
  }

  function hide() {
    stop()
    panel.hidden = true
    list.replaceChildren() // the palette has options with the same ids
    options.choose()
    field.setAttribute("aria-expanded", "false")
  }
}
