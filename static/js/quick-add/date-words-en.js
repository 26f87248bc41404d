const rest = "(?:st|nd|rd|th)?"

export default {
  before: "(?<=^|\\s)", after: "", gap: "\\s+", between: ",?\\s+(?:at\\s+)?", timeFirst: true,
  lead: "(?:due\\s+)?(?:by|on|until|till)\\s+|due\\s+",
  onlyAtEnd: ["weekday"],
  numbers: { a: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7 },
  months: ["jan(?:uary)?", "feb(?:ruary)?", "mar(?:ch)?", "apr(?:il)?", "may", "june?", "july?", "aug(?:ust)?", "sept?(?:ember)?", "oct(?:ober)?", "nov(?:ember)?", "dec(?:ember)?"],
  weekdays: ["sunday", "mon(?:day)?", "tue(?:s(?:day)?)?", "wednesday", "thu(?:r(?:s(?:day)?)?)?", "fri(?:day)?", "saturday"],
  dates: {
    0: ["today"],
    1: ["tomorrow"],
    2: ["the\\s+day\\s+after\\s+tomorrow"],
    ahead: ["in\\s+{n}\\s+days?"],
    weeks: ["in\\s+{n}\\s+weeks?"],
    week: ["next\\s+week"],
    weekday: ["(?:this\\s+)?{weekday}"],
    weekly: ["(?:every|each)\\s+{weekday}s?"],
    biweekly: ["every\\s+(?:other|second)\\s+{weekday}"],
    weekdayNextWeek: ["next\\s+{weekday}", "{weekday}\\s+next\\s+week"],
    named: [`{d}${rest}\\s+(?:of\\s+)?{month}(?:,?\\s+{y})?`, `{month}\\s+{d}${rest}(?:,?\\s+{y})?`],
    eitherOrder: ["{a}/{b}(?:/{y})?"],
  },
  am: "am|a\\.m\\.", pm: "pm|p\\.m\\.",
  times: ["{h}(?::{min})?\\s?{am}", "{h}(?::{min})?\\s?{pm}", "{h}:{min}"],
}
