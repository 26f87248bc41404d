// The parts of the form for a new card that scripts add: suggestions, chips, and the question what several lines are.
import { clockLanguage, inForm } from "../kit/date-forms.js";
import { joint } from "../kit/times.js";

const language = document.documentElement.lang, inRow = new Intl.ListFormat(language, { style: "narrow" })

export function part(details, selector) {
  if (!details.querySelector(".chips")) addParts(details)
  return details.querySelector(selector)
}

// Shows these chips, unless they are the ones that are shown.
export function show(list, chips) {
  const shown = [...list.querySelectorAll(".chip")].map(({ dataset }) => `${dataset.key} ${dataset.lines ?? ""}`)
  if (shown.join(" ") !== chips.map(({ key, lines = [] }) => `${key} ${lines}`).join(" ")) list.replaceChildren(...chips.map(chipOf))
}

function addParts(details) {
  const made = document.getElementById("quick-add").content.cloneNode(true), field = details.querySelector("textarea")
  const list = made.querySelector(".suggested"), action = details.querySelector("[formaction]").getAttribute("formaction")
  for (const button of made.querySelectorAll("[data-as]")) button.setAttribute("formaction", action)
  list.id = `suggested-${field.name}`
  field.setAttribute("aria-autocomplete", "list")
  field.setAttribute("aria-controls", list.id)
  details.querySelector(".buttons").before(made)
}

function chipOf({ kind, key, name, css = "", lines = [], ...due }) {
  const made = document.getElementById("quick-chip").content.cloneNode(true), button = made.querySelector("button")
  const { line: one, lines: several, words } = button.dataset
  const what = kind === "due" ? [dueWords(due), ...(due.recurrence ? [button.dataset[due.recurrence]] : [])].join(" · ") : name
  const where = lines.length ? (lines.length > 1 ? several : one).replace("{lines}", ranges(lines)) : ""
  button.classList.add(...`${kind} ${css}`.trim().split(" "))
  Object.assign(button.dataset, { key, lines: lines.join() })
  button.querySelector("span").textContent = `${{ person: "@", "new-label": "#" }[kind] ?? ""}${what}`
  button.querySelector("small").textContent = where
  button.setAttribute("aria-label", words.replace("{name}", `${what} ${where}`.trim()))
  return made
}

// The numbers of lines as people write them: 1–3, 5.
function ranges(lines) {
  const runs = []
  for (const line of lines) {
    if (runs.at(-1)?.at(-1) === line - 1) runs.at(-1).push(line)
    else runs.push([line])
  }
  return inRow.format(runs.map((run) => (run.length > 1 ? `${run[0]}–${run.at(-1)}` : `${run[0]}`)))
}

function dueWords({ day, time }) {
  const at = new Date(`${day}T${time || "00:00"}Z`), isLong = !day.startsWith(`${new Date().getFullYear()}-`), chosen = inForm(day, isLong)
  const written = (format, by = language) => new Intl.DateTimeFormat(by, { ...format, timeZone: "UTC" }).format(at)
  const plain = { weekday: "short", day: "numeric", month: "short", ...(isLong && { year: "numeric" }) }
  const words = chosen ? `${written({ weekday: "short" })} ${chosen}` : written(plain)
  return time ? words + joint + written({ timeStyle: "short" }, clockLanguage) : words
}
