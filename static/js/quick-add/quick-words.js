// What the text of a new card says besides its title: #label, @person, and a date in words. Each becomes a chip.
const TAGS = /(?:\s+[#@][^\s#@]+)+\s*$/u // that nothing is known of: a date may stand before them
const ENDS = "(?=$|[\\s.,;:!?、。])"

// Returns { title, chips }. A chip has kind (label, person or due), key, and for due day and time. Words of chips whose
// keys are in `declined` stay in the title. `wanted` are the names of labels to create.
export function readWords(text, things, { findDate, today, declined, wanted }) {
  const chips = []
  let rest = text
  const created = wanted.map((name) => ({ kind: "new-label", sign: "#", key: `new-label:${name}`, name, names: [name], isUnique: true }))
  for (const thing of [...things, ...created].filter(({ sign, isUnique }) => isUnique && text.includes(sign))) {
    const token = new RegExp(`(^|\\s)${thing.sign}(?:${thing.names.map(escaped).join("|")})${ENDS}`, "giu")
    if (declined.has(thing.key) || !token.test(rest)) continue
    rest = rest.replace(token, "$1")
    chips.push(thing)
  }
  rest = joined(rest)
  const date = findDate(rest.replace(TAGS, ""), today)
  if (!date) return { title: rest, chips }
  const key = `due:${rest.slice(date.from, date.to).toLowerCase().trim()}`
  if (declined.has(key)) return { title: rest, chips }
  chips.push({ kind: "due", key, day: date.day, time: date.time, recurrence: date.recurrence })
  return { title: joined(`${rest.slice(0, date.from)} ${rest.slice(date.to)}`), chips }
}

// The day that it is in a time zone, as YYYY-MM-DD.
export const todayIn = (timeZone) =>
  new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone }).format(new Date())

// The labels and members of the board, longest names first, so that "#Needs review" is not read as "#Needs".
export function thingsOf(board) {
  const labels = [...document.getElementById("board-labels").content.querySelectorAll("[data-label]")].map((label) => (
    { kind: "label", sign: "#", id: label.dataset.label, name: label.textContent, css: label.className }))
  const people = [...board.querySelectorAll("#members [data-user]")].map((person) => (
    { kind: "person", sign: "@", id: person.dataset.user, name: nameOf(person.querySelector(".avatar")), css: "" }))
  return distinct([...labels, ...people])
}

// Tells which names mean one thing alone, and by which names it is called.
export function distinct(found) {
  const things = found.map((thing) => ({ ...thing, key: `${thing.kind}:${thing.id}` }))
  for (const thing of things) thing.isUnique = things.filter((one) => isNamesake(one, thing)).length === 1
  for (const thing of things) thing.names = [thing.name, ...firstNameOf(thing, things)]
  return things.sort((one, other) => other.name.length - one.name.length)
}

// The values of the form that creates the card.
export function valuesOf({ title, chips }) {
  const ids = (kind) => chips.filter((chip) => chip.kind === kind).map(({ id }) => id)
  const due = chips.find(({ kind }) => kind === "due")
  const created = chips.filter(({ kind }) => kind === "new-label").map(({ name }) => name)
  const dates = due ? { due: due.day, time: due.time, ...(due.recurrence && { recurrence: due.recurrence }) } : {}
  return { title, label: ids("label"), person: ids("person"), ...(created.length && { "new-label": created }), ...dates }
}

// The values of the form that creates a card for each line: those of the third end with -2.
export function valuesOfLines(lines) {
  const values = { title: lines.map(({ title }) => title) }
  lines.forEach((line, at) => {
    const { title, ...own } = valuesOf(line)
    for (const [name, value] of Object.entries(own)) if (value.length) values[`${name}-${at}`] = value
  })
  return values
}

// The chips of several lines, each once, with the numbers of the lines that have it.
export function ofLines(lines) {
  const found = new Map()
  lines.forEach(({ chips }, at) => {
    for (const chip of chips) found.set(chip.key, { ...chip, lines: [...(found.get(chip.key)?.lines ?? []), at + 1] })
  })
  return [...found.values()]
}

// The first word of a name is enough for the only one who has it.
function firstNameOf({ kind, name }, things) {
  const first = (one) => one.name.toLowerCase().split(/\s+/)[0]
  const own = first({ name })
  return kind === "person" && things.filter((one) => one.kind === kind && first(one) === own).length === 1 ? [own] : []
}

const nameOf = ({ dataset, title }) => dataset.name ?? title // the title also says who is here (presence.js)
const isNamesake = (one, other) => one.kind === other.kind && one.name.toLowerCase() === other.name.toLowerCase()
const joined = (text) => text.replace(/\s+/g, " ").trim()
const escaped = (text) => text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")
