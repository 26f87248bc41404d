// A field with a list of options below it: arrows choose, Enter or a click takes one. The focus stays in the field, which
// names the chosen option to screen readers. `take` gets the option and the event. Enter waits for `pending`, as what was typed
// means no option of before.
export default function combobox(field, list, take, pending = () => undefined) {
  field.addEventListener("keydown", (event) => {
    if (event.isComposing || event.altKey || event.ctrlKey || event.metaKey) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step) choose(beside(step))
    else if (event.key === "Enter" && (chosen() || pending())) enter(event)
    else return
    event.preventDefault()
  })
  list.addEventListener("pointerdown", (event) => event.preventDefault()) // the focus stays in the field
  list.addEventListener("pointermove", ({ target }) => {
    const option = target.closest("[role=option]")
    if (option && option !== chosen()) choose(option, { scrolls: false })
  })
  list.addEventListener("click", (event) => {
    const option = event.target.closest("[role=option]")
    if (!option) return
    if (option !== chosen()) choose(option, { scrolls: false }) // as a finger comes from nowhere
    take(option, event)
  })

  const options = () => [...list.querySelectorAll("[role=option]")].filter((option) => option.checkVisibility())
  const chosen = () => list.querySelector("[role=option][aria-selected=true]")

  async function enter(event) {
    if (pending()) await pending()
    if (chosen() && field.checkVisibility()) take(chosen(), event)
  }

  function beside(step) {
    const all = options()
    const at = all.indexOf(chosen())
    return all.at(at < 0 && step < 0 ? -1 : (at + step) % all.length)
  }

  function choose(option, { scrolls = true } = {}) {
    for (const one of list.querySelectorAll("[role=option]")) one.setAttribute("aria-selected", String(one === option))
    if (option) field.setAttribute("aria-activedescendant", option.id)
    else field.removeAttribute("aria-activedescendant")
    if (scrolls) option?.scrollIntoView({ block: "nearest" })
    field.dispatchEvent(new CustomEvent("chosen", { detail: option }))
  }

  // `first`: chooses the first option after the list has changed. Otherwise keeps the choice if it is still there.
  function refresh({ first = false } = {}) {
    const all = options()
    choose(!first && all.find((option) => option.id === field.getAttribute("aria-activedescendant")) || all[0])
    return all.length
  }

  return { refresh, chosen, choose }
}
