// There are no spaces between words. A particle may follow, as in 周五前. Last Friday and the week after next are no dates.
const COUNTED = "(?<![\\d一二三四五六七八九十百]){n}"
const MINUTES = "[点时](?:{min}分?|(?<half>半))?"

export default {
  before: "", after: "(?:(?:之|以)?前)?", particle: "前", gap: "", between: "[\\s，、]*的?\\s*", timeFirst: false,
  lead: "截止(?:到|至|于)?\\s*", onlyAtEnd: [],
  numbers: { 一: 1, 两: 2, 二: 2, 三: 3, 四: 4, 五: 5, 六: 6, 七: 7, 八: 8, 九: 9, 十: 10 },
  months: [..."一二三四五六七八九十", "十一", "十二"].map((name, at) => `(?:${at + 1}|${name})月`),
  weekdays: ["[日天]", ..."一二三四五六"].map((name) => `(?:周|星期|礼拜)${name}`),
  dates: {
    0: ["今[天日]"],
    1: ["明[天日]"],
    2: ["(?<!大)后天"],
    ahead: [`${COUNTED}[天日](?:之|以)?后`],
    weeks: [`${COUNTED}(?:周|个?(?:星期|礼拜))(?:之|以)?后`],
    week: ["(?<!下)下个?(?:周|星期|礼拜)"],
    weekday: ["(?<![每上下隔])[本这]?{weekday}"],
    weekly: ["每个?{weekday}"],
    biweekly: ["每?隔(?:一个?)?{weekday}", "每两(?:周|个?(?:星期|礼拜))的?{weekday}"],
    weekdayNextWeek: ["(?<!下)下个?{weekday}"],
    named: ["(?:{y}年)?(?<![\\d十]){month}{d}[日号]"],
    numbers: ["(?:{y}/)?(?<![\\d/]){m}/{d}(?![\\d/])"],
  },
  am: "(?!)", pm: "(?!)",
  times: [
    `(?:下午|傍晚)(?<pm>){h}${MINUTES}`, `晚上(?<pm>)(?<h>[1-9]|1[01])${MINUTES}`, `(?:上午|早上|凌晨)(?<am>){h}${MINUTES}`,
    "(?:下午|傍晚)(?<pm>){h}:{min}", "晚上(?<pm>)(?<h>[1-9]|1[01]):{min}", "(?:上午|早上|凌晨)(?<am>){h}:{min}",
    `中午(?<h>12)${MINUTES}`, `{h}${MINUTES}`, "{h}:{min}",
  ],
}
