// Sends the forms of a board, one after another, and places the fragments that come back. Each answer is told by `board:answered`.
// Text is not lost if the server refuses it or cannot be reached: it stays in its field, or returns to it.
import { place } from "../board/place.js";
import { keepingFocus, post } from "./post.js";
import { showRefusal, wordsOf } from "./refusals.js";
import { joined, takeBackError } from "./toasts.js";

const TEXT = ":is(textarea, input[type=text], input:not([type]))[name]"
let queue = Promise.resolve()

// Sends values as a form would. Returns whether the server accepted them; its refusal is shown as a message.
export async function sendValues(action, values) {
  const sent = { action, values }
  await enqueue(sent)
  return Boolean(sent.isAccepted)
}

export default function sendForms(board) {
  document.addEventListener("change", ({ target }) => {
    if (target.matches("[data-send-on-change]")) target.form.requestSubmit()
  })
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event
    if (form.id !== "board-form" && !board.contains(form)) return
    event.preventDefault()
    const sent = prepare(form, submitter)
    submitter?.closest(".toast")?.remove()
    if (sent) enqueue(sent)
  })
}

// Sends { action, values } after what waits already. With `quick`, the field that `text` was taken from, a refused text
// returns to it. `isAccepted` says later whether the server accepted it.
export function enqueue(sent) {
  return queue = queue.then(() => send(sent)).catch(reportError)
}

// Waits until all that has been asked for until now is answered.
export const allSent = () => queue

async function send(sent) {
  const board = document.querySelector("main.board")
  board.classList.add("sending")
  const answer = await post(sent.action, sent.values, headersOf(board))
  sent.isAccepted = answer.isAccepted
  if (answer.redirect) location.assign(answer.redirect)
  else board.classList.remove("sending")
  finish(sent, answer, board.dataset)
  board.dispatchEvent(new CustomEvent("board:answered", { bubbles: true, detail: { ...answer, ...sent } }))
}

// An answer that is not accepted holds one sentence for the field at fault, or fragments to place.
function finish(sent, { status, isAccepted, elements }, words) {
  const refusal = isAccepted ? undefined : wordsOf(elements ?? [])
  if (elements && !refusal) keepingFocus(() => placeAll(elements))
  if (isAccepted) {
    takeBackError(words.failed)
    done(sent)
  } else if (refusal) failed(sent, refusal.words, refusal.name)
  else if (!elements) failed(sent, status ? words.refused : words.failed)
  else if (sent.fields) hold(sent.fields)
}

export const headersOf = (board) => ({ "X-CSRFToken": token(), "X-Open-Card": openCard(), "X-Filter": filter(board) })
export const token = () => /(?:^|; )(?:__Host-)?csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? document.querySelector("#board-form input").value

// Tells the server which card is open, and at which version, so that it answers with what changed since then.
function openCard() {
  const card = document.getElementById("open-card")
  return card ? `${card.dataset.card} ${card.dataset.version}` : ""
}

// Tells the server which filter the page has, so that it says which of the changed cards leave the page.
const filter = ({ dataset }) => dataset.filter ? `${dataset.board} ${dataset.filter}` : ""

function placeAll(elements) {
  try {
    const toasts = elements.filter((element) => element.matches(".toast"))
    for (const element of elements) if (!toasts.includes(element)) place(element)
    if (toasts.length) place(joined(toasts))
  } catch (error) {
    reportError(error)
  }
}

// Reads the values now, because the fields may hold other ones by the time this form is sent. Returns undefined if this text is on
// its way already: the button was pressed twice, or its key held.
function prepare(form, submitter) {
  const action = submitter?.getAttribute("formaction") ?? form.getAttribute("action")
  const fields = form.id === "board-form" ? submitter?.closest("[data-fields]") : form
  if (fields?.dataset.sent === action && fields.querySelector(TEXT)) return undefined
  const values = form.id === "board-form" ? valuesOf(fields, submitter) : group(new FormData(form, submitter))
  delete values.csrfmiddlewaretoken
  const quick = fields?.closest("[data-quick]")?.querySelector("textarea, input:not([type=hidden])")
  const text = quick?.value
  fields?.querySelectorAll(".refusal").forEach((words) => words.remove())
  if (quick) quick.value = ""
  else if (fields) hold(fields, action)
  return { action, values, fields, quick, text }
}

function valuesOf(fields, submitter) {
  const values = submitter?.name ? { [submitter.name]: submitter.value } : {}
  for (const field of fields?.querySelectorAll("textarea, select, input") ?? []) values[field.name] = field.value
  return values
}

// Collects the values of a name that occurs several times in an array.
function group(data) {
  return Object.fromEntries([...new Set(data.keys())].map((name) => [name, data.getAll(name).length > 1 ? data.getAll(name) : data.get(name)]))
}

// Without the address that they are sent to, lets the fields go.
function hold(fields, action) {
  const isHeld = action !== undefined
  if (isHeld) fields.dataset.sent = action
  else delete fields.dataset.sent
  for (const field of fields.querySelectorAll("textarea, input:not([type=hidden])")) field.readOnly = isHeld
}

function done({ fields, quick }) {
  if (quick || !fields) return
  hold(fields)
  fields.dispatchEvent(new Event("form:saved"))
  const details = fields.closest("details.edit")
  if (details) details.open = false
}

function failed({ fields, quick, text }, words, name = "") {
  if (quick) quick.value = quick.value ? `${text}\n${quick.value}` : text
  if (fields) hold(fields)
  showRefusal(quick ?? fieldNamed(name, fields), words)
}

function fieldNamed(name, fields) {
  const named = fields?.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`)
  return named ?? fields?.querySelector(TEXT)
}
