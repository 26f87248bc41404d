// Quick add: each Enter adds a card and the field stays. What #label, @person and a date in words would set is shown as
// chips, which can be taken off: nothing else is taken. Several lines are one card each, or one card with a description;
// each line is read for itself, and a chip that is taken off is so in all of them. What is not added yet survives a reload.
import { dateWords } from "./date-words.js";
import { forgetText, keepText } from "./quick-drafts.js";
import { part, show } from "./quick-parts.js";
import { completed, hideSuggestions, keyForSuggestions, showSuggestions, take } from "./quick-suggest.js";
import { ofLines, readWords, thingsOf, todayIn, valuesOf, valuesOfLines } from "./quick-words.js";
import { enqueue } from "../kit/send-forms.js";
import { showToast } from "../kit/toasts.js";

const FORM = ".list[id] .newcard"
const language = document.documentElement.lang

export default async function quickAdd(board) {
  const findDate = await dateWords(language, board.dataset.week % 7)
  const declined = new WeakMap() // for each form, the keys of chips that were taken off
  const wanted = new WeakMap() // for each form, the names of labels to create
  const valuesAs = {
    card: (details, _, text) => valuesOf(read(details, text)),
    cards: (details, lines) => valuesOfLines(lines.map(reading(details))),
    description: (details, [title], text) => ({ ...valuesOf(read(details, title)), description: text.trim().replace(/^.*\n/, "") }),
  }

  board.addEventListener("input", ({ target }) => { if (target.matches(`${FORM} textarea`)) typed(target.closest(FORM)) })
  board.addEventListener("quick:label", ({ target, detail }) => setOf(wanted, target.closest(FORM)).add(detail))
  board.addEventListener("keydown", onKey, true)
  board.addEventListener("pointerdown", onPress)
  board.addEventListener("click", onClick)
  board.addEventListener("focusout", ({ target }) => { if (target.matches(`${FORM} textarea`)) hideSuggestions(target, part(target.closest(FORM), ".suggested")) })
  board.addEventListener("toggle", ({ target }) => { if (target.matches(FORM) && !target.open) forget(target) }, true)
  document.addEventListener("submit", onSubmit, true)
  return { add, addEntered, begin: (details) => (field(details).value ? typed : update)(details) }

  function onKey(event) {
    const details = event.target.matches(`${FORM} textarea`) && event.target.closest(FORM)
    if (!details || event.isComposing || !keyForSuggestions(event, event.target, part(details, ".suggested"))) return
    event.preventDefault()
    event.stopPropagation()
  }

  function onPress(event) {
    const option = event.target.closest(`${FORM} [role=option]`)
    if (!option) return
    event.preventDefault() // the field keeps the focus
    take(field(option.closest(FORM)), option)
  }

  function onClick({ target }) {
    const chip = target.closest(`${FORM} .chip`)
    if (!chip) return
    const details = chip.closest(FORM)
    setOf(declined, details).add(chip.dataset.key)
    update(details)
    field(details).focus()
  }

  function onSubmit(event) {
    const details = event.submitter?.closest(FORM)
    if (!details) return undefined
    event.preventDefault()
    event.stopPropagation() // send-forms.js would send the field as it is
    if (linesOf(field(details).value).length > 1 && !event.submitter.dataset.as) return part(details, ".several button").focus()
    const { value } = field(details)
    field(details).value = ""
    field(details).focus()
    return add(details, event.submitter, value)
  }

  // What was entered before this script had come, when Enter could not take a name that was begun.
  function addEntered(details, button, text) {
    return add(details, button, completed(text, thingsOf(board)))
  }

  // The text has left its field, where the next one may stand already.
  function add(details, { dataset: { as } }, text) {
    const values = { ...valuesAs[as ?? "card"](details, linesOf(text), text), where: details.dataset.where ?? "bottom" }
    const decided = [declined, wanted].map((sets) => [sets, setOf(sets, details)])
    details.querySelectorAll(".refusal").forEach((words) => words.remove())
    forget(details)
    const sent = { action: details.querySelector("[formaction]").getAttribute("formaction"), values, fields: details, quick: field(details), text }
    return enqueue(sent).then(() => settled(details, sent, decided))
  }

  function settled(details, { isAccepted, values }, decided) {
    if (!isAccepted) return takeBack(details, decided)
    if (!field(details).value) forgetText(details)
    const list = details.closest(".list"), cards = list?.querySelectorAll(".card")
    if (!cards?.length) return undefined
    if (values.where === "top") return cards[0].scrollIntoView({ block: "nearest" })
    if (Number(list.dataset.more)) return showToast(document.getElementById("quick-add").dataset.addedAtEnd)
    return cards[cards.length - 1].scrollIntoView({ block: "nearest" })
  }

  // The text is back in its field, and with it what was decided about its chips.
  function takeBack(details, decided) {
    for (const [sets, keys] of decided) sets.set(details, new Set([...keys, ...setOf(sets, details)]))
    typed(details)
  }

  function update(details) {
    const lines = linesOf(field(details).value), several = lines.length
    showSuggestions(field(details), part(details, ".suggested"), thingsOf(board), (name) => setOf(wanted, details).has(name))
    const chips = several > 1 ? ofLines(lines.map(reading(details))) : read(details).chips
    show(part(details, ".chips"), chips)
    part(details, ".several > small").hidden = !chips.some((chip) => chip.lines?.at(-1) > 1)
    part(details, ".several").hidden = several < 2
    part(details, ".buttons").hidden = several > 1
    part(details, ".several > p").textContent = part(details, ".several").dataset.lines.replace("{count}", several)
    if (details.dataset.lines !== `${several}` && details.dataset.where !== "top") keepEndInView(details)
    details.dataset.lines = several
  }

  function typed(details) {
    keepText(details)
    update(details)
  }

  // Reads many lines with the labels and members as they are now.
  function reading(details) {
    const things = thingsOf(board)
    return (line) => read(details, line, things)
  }

  function read(details, text = field(details).value, things = thingsOf(board)) {
    return readWords(text, things, { findDate, today: todayIn(board.dataset.zone), declined: setOf(declined, details), wanted: [...setOf(wanted, details)] })
  }

  function setOf(sets, details) {
    if (!sets.has(details)) sets.set(details, new Set())
    return sets.get(details)
  }

  function forget(details) {
    for (const sets of [declined, wanted]) sets.delete(details)
    update(details)
  }
}

// The form covers no card that was above it, however tall it grows.
function keepEndInView(details) {
  const cards = details.closest(".list")?.querySelector(":scope > ol")
  if (cards && details.open) cards.scrollTop = cards.scrollHeight
}

const field = (details) => details.querySelector("textarea")
const linesOf = (text) => text.split("\n").map((line) => line.trim()).filter(Boolean)
