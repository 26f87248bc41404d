// "Por la mañana" and "esta mañana" are no dates.
export default {
  before: "(?<=^|\\s)(?<!(?:la|esta|cada|buena)\\s)", after: "", gap: "\\s+", between: ",?\\s+(?:a\\s+las?\\s+)?", timeFirst: false,
  lead: "(?:para|hasta|antes\\s+del?)\\s+(?:el\\s+)?|el\\s+",
  onlyAtEnd: ["weekday"],
  numbers: { un: 1, una: 1, dos: 2, tres: 3, cuatro: 4, cinco: 5, seis: 6, siete: 7 },
  months: ["ene(?:ro|\\.)?", "feb(?:rero|\\.)?", "mar(?:zo|\\.)?", "abr(?:il|\\.)?", "may(?:o|\\.)?", "jun(?:io|\\.)?", "jul(?:io|\\.)?", "ago(?:sto|\\.)?", "sept?(?:iembre|\\.)?", "oct(?:ubre|\\.)?", "nov(?:iembre|\\.)?", "dic(?:iembre|\\.)?"],
  weekdays: ["domingo", "lunes", "martes", "mi[ée]rcoles", "jueves", "viernes", "s[áa]bado"],
  dates: {
    0: ["hoy"],
    1: ["mañana"],
    2: ["pasado\\s+mañana"],
    ahead: ["(?:en|dentro\\s+de)\\s+{n}\\s+d[íi]as?"],
    weeks: ["(?:en|dentro\\s+de)\\s+{n}\\s+semanas?"],
    week: ["(?:la\\s+)?pr[óo]xima\\s+semana", "(?:la\\s+)?semana\\s+(?:que\\s+viene|pr[óo]xima)"],
    weekday: ["(?:este\\s+)?{weekday}", "pr[óo]ximo\\s+{weekday}", "{weekday}\\s+(?:pr[óo]ximo|que\\s+viene)"],
    weekly: ["(?:cada|todos\\s+los)\\s+{weekday}s?"],
    weekdayNextWeek: ["{weekday}\\s+de\\s+la\\s+(?:pr[óo]xima\\s+semana|semana\\s+que\\s+viene)"],
    named: ["{d}\\s+(?:de\\s+)?{month}(?:\\s+(?:del?\\s+)?{y})?"],
    numbers: ["{d}/{m}(?:/{y})?"],
  },
  am: "a\\.?\\s?m\\.?", pm: "p\\.?\\s?m\\.?",
  times: ["{h}(?::{min})?\\s?{am}", "{h}(?::{min})?\\s?{pm}", "{h}:{min}(?:\\s?h)?", "{h}\\s?h"],
}
