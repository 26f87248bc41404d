// While somebody types into the field for an address, people with whom they share a board are offered by their names. The
// form then names the chosen person; whoever goes on typing invites an address again. Enter takes the first who is offered, and
// sends the form only where nobody is.
import combobox from "../kit/combobox.js";
import { lookUp } from "../kit/look-up.js";

export default function suggestPeople(form) {
  const field = form.querySelector("[name=email]")
  const person = form.querySelector("[name=person]")
  const list = form.querySelector("[role=listbox]")
  const status = form.querySelector("[role=status]")
  const { ask, stop, pending } = lookUp(list.dataset.address, show, close)
  const options = combobox(field, list, take, pending)

  field.type = "text" // a name is no address
  field.setSelectionRange(field.value.length, field.value.length) // whoever is typing goes on at the end: the cursor was lost
  field.inputMode = "email"
  const roles = { role: "combobox", "aria-autocomplete": "list", "aria-controls": list.id, "aria-expanded": "false" }
  for (const [name, value] of Object.entries(roles)) field.setAttribute(name, value)
  field.addEventListener("input", suggest)
  field.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || list.hidden) return
    event.preventDefault()
    event.stopPropagation()
    close()
  })
  field.addEventListener("keydown", sendIfNobodyIsOffered)
  field.addEventListener("blur", close)
  if (field.value && document.activeElement === field) suggest() // typed before the script had come

  function suggest() {
    person.value = ""
    const letters = field.value.trim()
    if (letters && !letters.includes("@")) ask({ q: letters })
    else close()
  }

  function show(elements) {
    list.replaceChildren(...elements)
    open(elements.length > 0 && document.activeElement === field)
    options.refresh({ first: true })
    status.textContent = list.hidden ? "" : list.dataset.found.replace("NUMBER", elements.length)
  }

  // An Enter that came before the answer means what the field had then.
  async function sendIfNobodyIsOffered({ key, isComposing }) {
    if (key !== "Enter" || isComposing || !pending()) return
    const typed = field.value
    await pending()
    if (field.value === typed && !person.value && list.hidden && document.activeElement === field) form.requestSubmit()
  }

  function take(option) {
    field.value = option.querySelector(".name").textContent.trim()
    person.value = option.dataset.person
    close()
  }

  function close() {
    stop()
    list.replaceChildren()
    open(false)
    options.choose(undefined)
    status.textContent = ""
  }

  function open(isOpen) {
    list.hidden = !isOpen
    field.setAttribute("aria-expanded", String(isOpen))
  }
}
