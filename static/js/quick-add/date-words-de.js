// "Guten Morgen", "jeden Morgen" and "am Morgen" are no dates.
export default {
  before: "(?<=^|\\s)(?<!(?:guten|jeden|am|heute|den|der|gestern)\\s)", after: "", gap: "\\s+", between: ",?\\s+(?:um\\s+)?", timeFirst: false,
  lead: "(?:fällig\\s+)?(?:bis\\s+(?:zum\\s+)?|am\\s+|ab\\s+)|fällig\\s+",
  onlyAtEnd: ["weekday"],
  numbers: { einem: 1, einer: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7 },
  months: ["jan(?:uar|\\.)?|jänner", "feb(?:ruar|\\.)?", "märz|mär\\.?", "apr(?:il|\\.)?", "mai", "juni?\\.?", "juli?\\.?", "aug(?:ust|\\.)?", "sept?(?:ember|\\.)?", "okt(?:ober|\\.)?", "nov(?:ember|\\.)?", "dez(?:ember|\\.)?"],
  weekdays: ["sonntag", "montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag|sonnabend"],
  dates: {
    0: ["heute"],
    1: ["morgen"],
    2: ["übermorgen"],
    ahead: ["in\\s+{n}\\s+tag(?:en)?"],
    weeks: ["in\\s+{n}\\s+wochen?"],
    week: ["nächste\\s+woche", "kommende\\s+woche"],
    weekday: ["{weekday}", "(?:diesen|nächsten|kommenden|nächster|kommender)\\s+{weekday}"],
    weekdayNextWeek: ["(?:nächste|kommende)\\s+woche\\s+{weekday}", "{weekday}\\s+(?:nächster|kommender)\\s+woche", "{weekday}\\s+(?:nächste|kommende)\\s+woche"],
    named: ["{d}\\.\\s?{month}(?:\\s+{y})?"],
    numbers: ["{d}\\.\\s?{m}\\.(?:\\s?{y})?"],
  },
  am: "(?!)", pm: "(?!)",
  times: ["{h}(?::{min})?\\s?uhr", "{h}:{min}"],
}
