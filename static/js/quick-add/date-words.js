// Reads a date in words at the end of a text, or at its beginning, in one of seven languages. A small strict grammar of our
// own: docs/decisions/web.md says why. What may be two dates, or none, is not taken.
const LANGUAGES = {
  de: () => import("./date-words-de.js"),
  en: () => import("./date-words-en.js"),
  es: () => import("./date-words-es.js"),
  fr: () => import("./date-words-fr.js"),
  ja: () => import("./date-words-ja.js"),
  "pt-br": () => import("./date-words-pt.js"),
  "zh-hans": () => import("./date-words-zh.js"),
}
const DAY = 86400000
const form = document.body.dataset.dates
const RECURRENCES = ["weekly", "biweekly"]
const ISO = "(?<y>\\d{4})-(?<m>\\d{2})-(?<d>\\d{2})"

// Returns a function: (text, today as YYYY-MM-DD) => { from, to, day, time, recurrence } or null. `time` is HH:MM or "", and
// `recurrence` is "" too unless the date comes again. Weeks begin on the
// weekday `first`, 0 is Sunday; 3/4 is one day where the reader's form of dates says which.
export async function dateWords(language, first = 1) {
  const words = { ...(await (LANGUAGES[language] ?? LANGUAGES.en)()).default, first }
  const rules = rulesOf(words)
  return (text, today) => find(plain(text), rules, words, Date.parse(today) / DAY)
}

// Each place of a grammar, {month} for example, as a named group.
function rulesOf(words) {
  const any = (lists) => lists.map((one) => `(?:${one})`).join("|")
  const places = {
    n: `(?<n>\\d{1,3}|${Object.keys(words.numbers).join("|") || "(?!)"})`,
    d: "(?<d>\\d{1,2})", m: "(?<m>\\d{1,2})", y: "(?<y>\\d{4})", a: "(?<a>\\d{1,2})", b: "(?<b>\\d{1,2})",
    month: `(?<month>${any(words.months)})`, weekday: `(?<weekday>${any(words.weekdays)})`,
    h: "(?<h>\\d{1,2})", min: "(?<min>[0-5]\\d)", am: `(?<am>${words.am})`, pm: `(?<pm>${words.pm})`,
  }
  const filled = (grammar) => grammar.replace(/\{(\w+)\}/g, (whole, name) => places[name] ?? whole)
  const times = words.times.map(filled)
  const rules = []
  for (const [kind, grammars] of Object.entries({ ...words.dates, iso: [ISO] })) {
    for (const date of grammars.map(filled)) {
      rules.push({ kind, phrase: date, timed: false })
      for (const time of times) {
        rules.push({ kind, phrase: `${date}${words.between}${time}`, timed: true })
        if (words.timeFirst) rules.push({ kind, phrase: `${time}${words.gap}${date}`, timed: true })
      }
    }
  }
  return rules.map((rule) => ({ ...rule, ...placed(rule.phrase, words) }))
}

const placed = (phrase, { lead, before, after, particle }) => ({
  atEnd: new RegExp(`${before}(?<words>(?:${lead})?(?:${phrase}))${after}[.!。！]?\\s*$`, "du"),
  atStart: new RegExp(`^\\s*(?<words>${phrase})${after}(?:[,:、，：]\\s*|(?=\\s)|${particle ? `(?<=${particle})` : "(?!)"})`, "du"),
})

// The longest phrase wins, one at the end over one at the beginning.
function find(text, rules, words, today) {
  for (const place of ["atEnd", "atStart"]) {
    const found = rules.filter(({ kind }) => place === "atEnd" || !words.onlyAtEnd.includes(kind))
      .flatMap((rule) => read(rule, rule[place].exec(text), words, today))
      .filter(({ from, to }) => text.slice(0, from).trim() || text.slice(to).trim())
    if (found.length) return found.reduce((best, one) => (one.to - one.from > best.to - best.from ? one : best))
  }
  return null
}

function read({ kind, timed }, match, words, today) {
  const day = match && DAYS[kind](match.groups, words, today)
  const time = match && timed ? clock(match.groups) : ""
  if (!Number.isInteger(day) || time === null) return []
  const [from] = match.indices.groups.words
  return [{ from, to: match.index + match[0].length, day: new Date(day * DAY).toISOString().slice(0, 10), time, recurrence: RECURRENCES.find((one) => one === kind) ?? "" }]
}

const DAYS = {
  0: (_, __, today) => today,
  1: (_, __, today) => today + 1,
  2: (_, __, today) => today + 2,
  ahead: ({ n }, { numbers }, today) => today + (numbers[n] ?? Number(n)),
  weeks: ({ n }, { numbers }, today) => today + 7 * (numbers[n] ?? Number(n)),
  week: (_, { first }, today) => coming(first, today) + (first === 0), // Sunday is a day of the weekend
  weekday: ({ weekday }, words, today) => coming(indexOf(words.weekdays, weekday), today),
  weekly: (...found) => DAYS.weekday(...found),
  biweekly: (...found) => DAYS.weekday(...found),
  weekdayNextWeek: ({ weekday }, words, today) => coming(words.first, today) + (indexOf(words.weekdays, weekday) + 7 - words.first) % 7,
  named: ({ d, month, y }, words, today) => date(y, indexOf(words.months, month) + 1, d, today),
  numbers: ({ d, m, y }, _, today) => date(y, m, d, today),
  // Month and day in either order: only where one of them cannot be a month.
  eitherOrder: ({ a, b, y }, _, today) => {
    const isDayFirst = a > 12 || (b <= 12 && form === "slashes"), isMonthFirst = b > 12 || (a <= 12 && form === "american")
    return isDayFirst === isMonthFirst ? null : isDayFirst ? date(y, b, a, today) : date(y, a, b, today)
  },
  iso: ({ y, m, d }, _, today) => date(y, m, d, today),
}

// A weekday is the next one after today.
const coming = (weekday, today) => today + ((weekday - weekdayOf(today) + 6) % 7) + 1
const weekdayOf = (day) => (((day + 4) % 7) + 7) % 7
const indexOf = (lists, word) => lists.findIndex((one) => new RegExp(`^(?:${one})$`, "u").test(word))

// Without a year it is the next such day. Returns null for a day that does not exist.
function date(year, month, day, today) {
  const [thisYear] = new Date(today * DAY).toISOString().split("-").map(Number)
  const made = (y) => {
    const at = new Date(Date.UTC(y, month - 1, day))
    return at.getUTCMonth() === month - 1 && at.getUTCDate() === Number(day) ? at.getTime() / DAY : null
  }
  if (year) return made(Number(year))
  return made(thisYear) >= today ? made(thisYear) : made(thisYear + 1)
}

function clock({ h, half, min = half ? "30" : "00", am, pm }) {
  const hour = Number(h), isHalf = am !== undefined || pm !== undefined
  if (hour > (isHalf ? 12 : 23) || (isHalf && hour === 0)) return null
  return `${String(isHalf ? (hour % 12) + (pm === undefined ? 0 : 12) : hour).padStart(2, "0")}:${min}`
}

// Lower case and half-width digits, letter by letter, so that places in the text stay the same.
function plain(text) {
  return [...text].map((sign) => {
    const narrow = /[０-９：／]/.test(sign) ? String.fromCharCode(sign.charCodeAt(0) - 0xfee0) : sign.toLowerCase()
    return narrow.length === sign.length ? narrow : sign
  }).join("")
}
