// Formats <time> in the reader's language, time zone and form of dates, and keeps "how long ago" and the colours of due dates up to date.
// Without scripts times are in the account's zone, and on tiles in UTC.
const SOON = 24 * 60 * 60 * 1000
const STEPS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]]
const language = document.documentElement.lang

export default function times(root) {
  formatTimes(root)
  setInterval(() => formatTimes(root), 60000)
}

export function formatTimes(...roots) {
  today = dayNumber(new Date().toISOString())
  for (const root of roots) for (const time of root.querySelectorAll("time")) format(time)
}

function format(time) {
  const { show } = time.dataset, due = time.closest(".due")
  if (show === "ago") time.textContent = ago(new Date(time.dateTime))
  else if (time.closest(".card")) time.textContent = day(time.dateTime)
  if (due && show !== "start" && !due.classList.contains("met")) mark(due, left(time.dateTime))
}

// Milliseconds until a moment, or until the end of a whole day in the reader's zone: in whole days, as nobody sees more.
function left(written) {
  return isDay(written) ? (dayNumber(written) - today + 1) * SOON - 1 : new Date(written) - Date.now()
}

function mark(due, left) {
  due.classList.toggle("late", left < 0)
  due.classList.toggle("soon", left >= 0 && left < SOON)
}

function ago(moment) {
  const seconds = Math.round((moment - Date.now()) / 1000)
  const [unit, length] = STEPS.find(([, least]) => Math.abs(seconds) >= least) ?? ["second", 1]
  return relative.format(unit === "second" ? 0 : Math.round(seconds / length), unit)
}

function day(written) {
  const number = dayNumber(written), away = number - today
  if (Math.abs(away) <= 1) return relative.format(away, "day")
  const at = new Date(number * SOON), isLong = at.getUTCFullYear() !== new Date(today * SOON).getUTCFullYear()
  return inForm?.(at.toISOString().slice(0, 10), isLong) ?? (isLong ? long : short).format(at)
}

// Few readers choose a form of their own.
const { inForm } = document.body.dataset.dates ? await import("./date-forms.js") : {}
const timeZone = document.querySelector("[data-zone]")?.dataset.zone
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
const short = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" })
const long = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
const digits = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone })

// A whole day is written as a date, and is the same day for everybody.
const isDay = (written) => !written.includes("T")
// Days since 1970: of a moment, those of its day in the reader's zone.
const dayNumber = (written) => Math.round(Date.parse(isDay(written) ? written : digits.format(new Date(written))) / SOON)
let today = 0 // as a number of days, since times were last formatted
