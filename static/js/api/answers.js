// Shows the answer to a call that was tried: its status, the headers that matter, and its JSON.
const HEADERS = [
  "Content-Type", "Content-Length", "Content-Disposition", "Content-Range", "ETag", "Link", "Location", "Allow",
  "RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset", "Retry-After", "WWW-Authenticate", "Ignored-Fields", "Idempotency-Replayed",
]
const MOST = 100_000 // characters of an answer: more would make the page slow

export async function showAnswer(form, response) {
  const [status, headers, body] = parts(form)
  const isJson = response.headers.get("Content-Type")?.includes("json") && !response.headers.has("Content-Disposition")
  const text = isJson ? pretty(await response.text()) : ""
  status.textContent = `${response.status} ${response.statusText}`.trim()
  headers.replaceChildren(...HEADERS.filter((name) => response.headers.has(name)).flatMap((name) => pair(name, response.headers.get(name))))
  headers.hidden = !headers.children.length
  body.textContent = text.length > MOST ? `${text.slice(0, MOST)}…` : text
  body.hidden = !text
}

export function showFailure(form) {
  const [status, headers, body] = parts(form)
  status.textContent = status.dataset.failed
  headers.hidden = body.hidden = true
}

function parts(form) {
  return [form.querySelector("[role=status]"), form.querySelector(".try-headers"), form.querySelector("pre")]
}

function pretty(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

function pair(name, value) {
  const made = [document.createElement("dt"), document.createElement("dd")]
  made[0].textContent = name
  made[1].textContent = value
  return made
}
