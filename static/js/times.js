// Formats <time> in the reader's language and time zone, and keeps "how long ago" and the colours of due dates up to date.
// Without scripts times are in the account's zone, and on tiles in UTC.
const SOON = 24 * 60 * 60 * 1000
const STEPS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]]
const language = document.documentElement.lang

export default function times(root) {
  formatTimes(root)
  setInterval(() => formatTimes(root), 60000)
}

export function formatTimes(root) {
  for (const time of root.querySelectorAll("time")) format(time)
}

function format(time) {
  const moment = new Date(time.dateTime)
  if (time.dataset.show === "ago") {
    time.textContent = ago(moment)
    return
  }
  const due = time.closest(".due")
  if (!due) return
  if (time.dataset.show !== "due") time.textContent = day(moment)
  if (!due.classList.contains("met")) mark(due, moment - Date.now())
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

function day(moment) {
  const away = (dayNumber(moment) - dayNumber(new Date()))
  if (Math.abs(away) <= 1) return relative.format(away, "day")
  return sameYear(moment) ? short.format(moment) : long.format(moment)
}

const timeZone = document.querySelector("[data-zone]")?.dataset.zone
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
const short = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone })
const long = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric", timeZone })
const digits = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone })

const dayNumber = (moment) => Math.round(Date.parse(digits.format(moment)) / 86400000)
const sameYear = (moment) => digits.format(moment).slice(0, 4) === digits.format(new Date()).slice(0, 4)
