// Lets people try the calls of the API reference. The token stays in its field: it is sent with calls, and stored nowhere.
import { showAnswer, showFailure } from "./answers.js";

export default function tryCalls(root) {
  const token = root.querySelector("#try-token")
  const sample = root.querySelector("#try-call").content.firstElementChild
  const prepare = (call) => {
    const body = call.querySelector("[data-method]")
    if (body && !body.querySelector(".try")) body.append(makeForm(body, sample, token))
  }
  token.parentElement.hidden = false
  for (const call of root.querySelectorAll(".call[open]")) prepare(call)
  root.addEventListener("toggle", ({ target }) => target.open && prepare(target), true)
  root.addEventListener("click", ({ target }) => openTarget(target.closest('a[href^="#"]')))
}

// A browser opens what a fragment of the address names, but not when the address has that fragment already.
function openTarget(link) {
  const call = link && document.getElementById(link.hash.slice(1))?.closest(".call")
  if (call) call.open = true
}

function makeForm(call, sample, token) {
  const form = sample.cloneNode(true)
  const [plain, body, file] = form.querySelectorAll(".field")
  for (const parameter of call.querySelectorAll("[data-where]")) plain.before(field(plain, call, parameter))
  plain.remove()
  call.dataset.type === "multipart/form-data" ? name(file, call, "file") : file.remove()
  call.dataset.example ? name(body, call, "body") : body.remove()
  if (call.dataset.example) body.lastElementChild.value = JSON.stringify(JSON.parse(call.dataset.example), null, 2)
  const button = form.querySelector("button")
  button.classList.toggle("danger", call.dataset.method === "DELETE")
  button.addEventListener("click", () => send(form, button, call, token.value.trim()))
  return form
}

function field(plain, call, { dataset }) {
  const made = plain.cloneNode(true)
  const [label, input] = made.children
  label.textContent = dataset.name
  Object.assign(input.dataset, dataset)
  input.required = dataset.where === "path"
  name(made, call, dataset.name)
  return made
}

function name({ firstElementChild: label, lastElementChild: control }, call, what) {
  control.id = label.htmlFor = `${call.id}-try-${what}`
}

async function send(form, button, call, token) {
  if (![...form.querySelectorAll("input")].every((input) => input.reportValidity())) return
  button.disabled = true
  try {
    const { address, ...request } = written(form, call, token)
    await showAnswer(form, await fetch(address, request))
  } catch {
    showFailure(form)
  } finally {
    button.disabled = false
  }
}

function written(form, call, token) {
  const { method, path, type } = call.dataset
  const inputs = [...form.querySelectorAll("[data-where]")].filter(({ value }) => value.trim())
  const given = (where) => inputs.filter(({ dataset }) => dataset.where === where)
  const query = new URLSearchParams(given("query").flatMap(values))
  const filled = given("path").reduce((text, { dataset, value }) => text.replace(`{${dataset.name}}`, encodeURIComponent(value.trim())), path)
  const headers = new Headers(given("header").map(({ dataset, value }) => [dataset.name, value.trim()]))
  if (token) headers.set("Authorization", `Bearer ${token}`)
  const text = form.querySelector("textarea")?.value
  if (text) headers.set("Content-Type", type)
  return {
    address: query.size ? `${filled}?${query}` : filled,
    method,
    headers,
    body: text || formData(form.querySelector("[type=file]")),
    credentials: "omit",
    cache: "no-store",
  }
}

// Several values of one parameter are separated by commas.
function values({ dataset, value }) {
  const all = "list" in dataset ? value.split(",") : [value]
  return all.map((one) => [dataset.name, one.trim()])
}

function formData(file) {
  if (!file) return undefined
  const data = new FormData()
  data.append("file", file.files[0])
  return data
}
