// There are no spaces between words. A particle may follow, as in 明日の17時に and 27日まで.
export default {
  before: "", after: "(?:までに?|に)?", particle: "まで|に", gap: "", between: "[\\s、]*(?:の)?", timeFirst: false,
  lead: "(?!)", onlyAtEnd: [],
  numbers: { 一: 1, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7 },
  months: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
  weekdays: ["日曜日?", "月曜日?", "火曜日?", "水曜日?", "木曜日?", "金曜日?", "土曜日?"],
  dates: {
    0: ["今日", "本日"],
    1: ["明日"],
    2: ["明後日", "あさって"],
    ahead: ["{n}日後"],
    weeks: ["{n}週間後"],
    week: ["来週"],
    weekday: ["(?:今週の?|今度の)?{weekday}"],
    weekly: ["毎週の?{weekday}"],
    biweekly: ["隔週の?{weekday}"],
    weekdayNextWeek: ["来週の?{weekday}"],
    named: ["(?:{y}年)?(?<!\\d){month}{d}日"],
    numbers: ["(?:{y}/)?(?<![\\d/]){m}/{d}(?![\\d/])"],
  },
  am: "(?!)", pm: "(?!)",
  times: ["午後(?<pm>){h}時(?:{min}分?)?", "午前(?<am>){h}時(?:{min}分?)?", "{h}時(?:{min}分?)?", "{h}:{min}"],
}
