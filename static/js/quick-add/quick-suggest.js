// Suggestions for a #label or @person that is being typed. Tab or Enter takes one, arrows choose, Escape closes the list.
const MOST = 6
const TYPED = /(?:^|\s)([#@])([^\s#@]*)$/u

// Fills the list, or hides it when nothing fits or the name is complete.
export function showSuggestions(field, list, things) {
  const typed = TYPED.exec(field.value.slice(0, field.selectionStart))
  const found = typed ? matching(things, typed[1], typed[2].toLowerCase()) : []
  list.replaceChildren(...found.map(option))
  list.hidden = !found.length
  choose(field, list, 0)
}

export function hideSuggestions(field, list) {
  list.hidden = true
  list.replaceChildren()
  field.removeAttribute("aria-activedescendant")
}

// Returns whether the key was for the list.
export function keyForSuggestions({ key, shiftKey }, field, list) {
  if (list.hidden) return false
  if (key === "Escape") hideSuggestions(field, list)
  else if (key === "ArrowDown" || key === "ArrowUp") choose(field, list, chosen(list) + (key === "ArrowDown" ? 1 : -1))
  else if ((key === "Tab" || key === "Enter") && !shiftKey) take(field, list.children[chosen(list)])
  else return false
  return true
}

// Puts the name in the place of what was typed of it.
export function take(field, { textContent, dataset }) {
  const before = field.value.slice(0, field.selectionStart).replace(/[#@][^\s#@]*$/u, `${dataset.sign}${textContent} `)
  field.setRangeText(before, 0, field.selectionStart, "end")
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

function matching(things, sign, start) {
  const fits = ({ name }) => [name, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(start))
  const found = things.filter((thing) => thing.sign === sign && thing.isUnique && fits(thing))
  if (found.some(({ name }) => name.toLowerCase() === start)) return []
  return found.sort((one, other) => one.name.localeCompare(other.name)).slice(0, MOST)
}

function option({ sign, name, key }) {
  const made = Object.assign(document.createElement("li"), { id: `suggested-${key}`, textContent: name })
  made.setAttribute("role", "option")
  made.dataset.sign = sign
  return made
}

const chosen = (list) => [...list.children].findIndex((one) => one.getAttribute("aria-selected") === "true")

function choose(field, list, place) {
  const options = [...list.children], at = (place + options.length) % options.length
  options.forEach((one, number) => one.setAttribute("aria-selected", String(number === at)))
  if (options.length) field.setAttribute("aria-activedescendant", options[at].id)
  else field.removeAttribute("aria-activedescendant")
}
