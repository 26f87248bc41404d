// Suggestions for a #label or @person that is being typed. Tab takes one, arrows choose, Escape closes the list. Enter adds the
// card, and takes what was chosen by arrows along, or the only name that what was typed is the beginning of.
const MOST = 6
const TYPED = /(?:^|\s)([#@])([^\s#@]*)$/u

// Fills the list, or hides it when nothing fits or the name is complete.
export function showSuggestions(field, list, things, isWanted) {
  const { typed, found } = begun(field.value.slice(0, field.selectionStart), things)
  const isNew = typed?.[1] === "#" && typed[2] && !things.some((thing) => thing.sign === "#" && thing.name.toLowerCase() === typed[2].toLowerCase())
  list.replaceChildren(...found.map(option), ...(isNew && !isWanted(typed[2]) ? [creating(typed[2], list.dataset.create)] : []))
  list.hidden = !list.children.length
  choose(field, list, 0)
  list.toggleAttribute("data-sure", isSure(typed, found))
}

// Takes the only name that the end of a text is the beginning of, as Enter does.
export function completed(text, things) {
  const { typed, found } = begun(text, things)
  return isSure(typed, found) ? withName(text, found[0]) : text
}

export function hideSuggestions(field, list) {
  list.hidden = true
  list.replaceChildren()
  field.removeAttribute("aria-activedescendant")
}

// Returns whether the key was for the list alone.
export function keyForSuggestions({ key, shiftKey }, field, list) {
  if (list.hidden) return false
  if (key === "Escape") hideSuggestions(field, list)
  else if (key === "ArrowDown" || key === "ArrowUp") step(field, list, key === "ArrowDown" ? 1 : -1)
  else if (key === "Tab" && !shiftKey) take(field, list.children[chosen(list)])
  else {
    if (key === "Enter" && !shiftKey && "sure" in list.dataset) take(field, list.children[chosen(list)])
    return false
  }
  return true
}

// Puts the name in the place of what was typed of it.
export function take(field, { dataset }) {
  const before = withName(field.value.slice(0, field.selectionStart), dataset)
  field.setRangeText(before, 0, field.selectionStart, "end")
  if ("created" in dataset) field.dispatchEvent(new CustomEvent("quick:label", { bubbles: true, detail: dataset.name }))
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

function begun(text, things) {
  const typed = TYPED.exec(text)
  return { typed, found: typed ? matching(things, typed[1], typed[2].toLowerCase()) : [] }
}

const isSure = (typed, found) => found.length === 1 && typed[2] !== ""
const withName = (text, { sign, name }) => text.replace(/[#@][^\s#@]*$/u, () => `${sign}${name} `)

function matching(things, sign, start) {
  const fits = ({ name }) => [name, ...name.split(/\s+/)].some((word) => word.toLowerCase().startsWith(start))
  const found = things.filter((thing) => thing.sign === sign && thing.isUnique && fits(thing))
  if (found.some(({ names }) => names.some((name) => name.toLowerCase() === start))) return []
  return found.sort((one, other) => one.name.localeCompare(other.name)).slice(0, MOST)
}

function option({ sign, name, key }) {
  const made = Object.assign(document.createElement("li"), { id: `suggested-${key}`, textContent: name })
  made.setAttribute("role", "option")
  Object.assign(made.dataset, { sign, name })
  return made
}

function creating(name, words) {
  const made = option({ sign: "#", name, key: "new-label" })
  made.dataset.created = ""
  made.textContent = words.replace("{name}", () => name)
  return made
}

function step(field, list, by) {
  choose(field, list, chosen(list) + by)
  list.toggleAttribute("data-sure", true)
}

const chosen = (list) => [...list.children].findIndex((one) => one.getAttribute("aria-selected") === "true")

function choose(field, list, place) {
  const options = [...list.children], at = (place + options.length) % options.length
  options.forEach((one, number) => one.setAttribute("aria-selected", String(number === at)))
  if (options.length) field.setAttribute("aria-activedescendant", options[at].id)
  else field.removeAttribute("aria-activedescendant")
}
