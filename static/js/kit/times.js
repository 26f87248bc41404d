// Formats <time> in the reader's language, time zone and form of dates, and keeps "how long ago" and the colours of due dates up to date.
// Without scripts times are in the account's zone, and on tiles in UTC. core/text/dates.py writes the same forms.
const SOON = 24 * 60 * 60 * 1000
const STEPS = [["year", 31557600], ["month", 2629800], ["week", 604800], ["day", 86400], ["hour", 3600], ["minute", 60]]
const language = document.documentElement.lang

export default function times(root) {
  formatTimes(root)
  const timer = setInterval(() => root.isConnected ? formatTimes(root) : clearInterval(timer), 60000)
}

export function formatTimes(...roots) {
  today = dayNumber(new Date().toISOString())
  for (const root of roots) for (const time of root.querySelectorAll("time")) format(time)
}

function format(time) {
  const { show } = time.dataset, due = time.closest(".due"), written = time.dateTime
  if (show === "ago") time.textContent = ago(new Date(written))
  else if (show === "day" || time.closest(".card") || isDay(written)) time.textContent = near(written)
  else if (show === "due") time.textContent = near(written) + joint + clock(new Date(written))
  if (due && show !== "start" && !due.classList.contains("met")) mark(due, left(written))
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
  if (unit === "second") return document.body.dataset.now
  const written = relative.format(Math.round(seconds / length), unit)
  return language === "ja" ? written.replaceAll(" ", "") : written // browsers write 10 分前
}

function near(written) {
  const away = dayNumber(written) - today
  return Math.abs(away) <= 1 ? capital(relative.format(away, "day")) : day(written)
}

// Writes the day of a day or a moment; with its year, if that is not the present one.
export function day(written) {
  const at = new Date(dayNumber(written) * SOON), isLong = at.getUTCFullYear() !== new Date(today * SOON).getUTCFullYear()
  return unbroken(inForm?.(at.toISOString().slice(0, 10), isLong) ?? (isLong ? long : short).format(at))
}

export const clock = (moment) => unbroken(new Intl.DateTimeFormat(clockLanguage ?? language, { timeStyle: "short", timeZone }).format(moment))

const capital = (word) => word[0].toLocaleUpperCase(language) + word.slice(1)
const unbroken = (written) => written.replaceAll(" ", "\u00a0")

// Few readers choose a form of their own.
const { clockLanguage, inForm } = document.body.dataset.dates || document.body.dataset.clock ? await import("./date-forms.js") : {}
const timeZone = document.querySelector("[data-zone]")?.dataset.zone
const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto" })
const short = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", timeZone: "UTC" })
const long = new Intl.DateTimeFormat(language, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" })
const digits = new Intl.DateTimeFormat("en-CA", { year: "numeric", month: "2-digit", day: "2-digit", timeZone })
export const joint = document.body.dataset.dates || /^(ja|zh)/.test(language) ? " " : ", " // between a day and a time

// A whole day is written as a date, and is the same day for everybody.
const isDay = (written) => !written.includes("T")
// Days since 1970: of a moment, those of its day in the reader's zone.
const dayNumber = (written) => Math.round(Date.parse(isDay(written) ? written : digits.format(new Date(written))) / SOON)
let today = dayNumber(new Date().toISOString()) // since times were last formatted
