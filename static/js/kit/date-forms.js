// The forms of dates and times that the reader chose on their profile: core/text/dates.py has the same.
const { dates, clock } = document.body.dataset
const WHOLE = { iso: "y-m-d", dots: "d.m.y", slashes: "d/m/y", american: "m/d/y" }
const SHORT = { iso: "y-m-d", dots: "d.m.", slashes: "d/m", american: "m/d" }

// A language that writes times in the chosen form, whatever the one of the page is; undefined where that decides.
export const clockLanguage = { 12: "en-US", 24: "en-GB" }[clock]

// Returns a day, YYYY-MM-DD, as the reader wants it; undefined where the language decides.
export function inForm(day, withYear = true) {
  const [y, m, d] = day.split("-")
  return (withYear ? WHOLE : SHORT)[dates]?.replace(/[ymd]/g, (part) => ({ y, m, d })[part])
}
