// Sends the forms of a board by htmx, one after another, and places the fragments that come back.
// What was typed stays in its field until the server has taken it.
import { fragmentsOf, place, placeEverything, refusalIn } from "./place.js";
import { showToast } from "./toasts.js";

export default function sendForms(board) {
  const { htmx } = window
  let queue = Promise.resolve()

  htmx.defineExtension("place", {
    isInlineSwap: (style) => style === "place",
    handleSwap: (style, target, fragment) => style === "place" && placeAll([...fragment.children]),
  })
  board.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-CSRFToken"] = token()
  })
  document.addEventListener("change", (event) => {
    if (event.target.matches("[data-send-on-change]")) event.target.form.requestSubmit()
  })
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event
    if (form.id !== "board-form" && !board.contains(form)) return
    event.preventDefault()
    const sent = prepare(form, submitter)
    submitter?.closest(".toast")?.remove()
    queue = queue.then(() => send(sent)).catch(() => failed(sent, board.dataset.failed))
  })

  async function send(sent) {
    const answer = new Promise((resolve) => board.addEventListener("htmx:afterRequest", resolve, { once: true }))
    board.addEventListener("htmx:beforeSwap", (event) => refuse(event, sent), { once: true })
    await htmx.ajax("POST", sent.action, { source: board, target: board, swap: "place", values: sent.values })
    const { xhr, failed: hasFailed } = (await answer).detail
    if (hasFailed && xhr.getResponseHeader("X-Answer") !== "fragments") failed(sent, board.dataset.refused)
    else if (!hasFailed) done(sent)
  }

  // An answer with a status over 400 holds one sentence for the field at fault, or what is to take its place.
  function refuse({ detail }, sent) {
    if (detail.xhr.status < 400 || detail.xhr.getResponseHeader("X-Answer") !== "fragments") return
    const words = refusalIn(detail.xhr)
    if (words) failed(sent, words, fragmentsOf(detail.xhr.responseText)[0].dataset.field)
    else detail.shouldSwap = true
  }

  const token = () => /(?:^|; )csrftoken=([^;]+)/.exec(document.cookie)?.[1] ?? document.querySelector("#board-form input").value
}

// Always answers with an array: htmx would swap out the whole board for anything else.
function placeAll(elements) {
  try {
    if (!elements[0]?.matches("[data-everything]")) return elements.map(place).filter(Boolean)
    placeEverything(elements.slice(1))
  } catch (error) {
    reportError(error)
  }
  return []
}

// Takes the values now: by the time it is this form's turn, its fields may hold the next ones.
function prepare(form, submitter) {
  const fields = form.id === "board-form" ? submitter?.closest("[data-fields]") : form
  const values = form.id === "board-form" ? valuesOf(fields, submitter) : group(new FormData(form, submitter))
  delete values.csrfmiddlewaretoken
  const quick = fields?.closest("[data-quick]")?.querySelector("textarea, input:not([type=hidden])")
  const text = quick?.value
  fields?.querySelectorAll(".refusal").forEach((words) => words.remove())
  if (quick) quick.value = ""
  else if (fields) hold(fields, true)
  return { action: submitter?.getAttribute("formaction") ?? form.getAttribute("action"), values, fields, quick, text }
}

function valuesOf(fields, submitter) {
  const values = submitter?.name ? { [submitter.name]: submitter.value } : {}
  for (const field of fields?.querySelectorAll("textarea, select, input") ?? []) values[field.name] = field.value
  return values
}

const group = (data) => Object.fromEntries([...data.keys()].map((name) => [name, data.getAll(name).length > 1 ? data.getAll(name) : data.get(name)]))

function hold(fields, isHeld) {
  fields.toggleAttribute("data-sent", isHeld)
  for (const field of fields.querySelectorAll("textarea, input:not([type=hidden])")) field.readOnly = isHeld
}

function done({ fields, quick }) {
  if (quick || !fields) return
  hold(fields, false)
  const details = fields.closest("details.edit")
  if (details) details.open = false
}

function failed({ fields, quick, text }, words, name = "") {
  if (quick) quick.value = quick.value ? `${text}\n${quick.value}` : text
  if (fields) hold(fields, false)
  const field = quick ?? fields?.querySelector(`[name="${CSS.escape(name)}"]:not([type=hidden])`) ?? fields?.querySelector("textarea, input[type=text], input:not([type])")
  if (!field) return showToast(words)
  const sentence = document.createElement("p")
  Object.assign(sentence, { className: "refusal", textContent: words })
  sentence.setAttribute("role", "alert")
  field.after(sentence)
  field.setAttribute("aria-invalid", "true")
  field.focus()
  field.addEventListener("input", () => { sentence.remove(); field.removeAttribute("aria-invalid") }, { once: true })
}
