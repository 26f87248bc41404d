// Sends what the reader keeps about a board for themselves (web/boards/my_view.py). It changes nothing on the board, so it
// waits only for what was sent in the same way before it.
import { fragmentsOf } from "./place.js";
import { wordsOf } from "../kit/refusals.js";
import { token } from "../kit/send-forms.js";
import { showError } from "../kit/toasts.js";

let queue = Promise.resolve()
const toggles = new Map() // of those on their way, by address: how many wait, and what the server has

// Sends whether something is on, which the page shows already; the server's refusal is shown as a message. Once nothing more
// waits for this address, calls `show` with what the server has, if that is otherwise. Returns whether the server accepted it.
export async function keep(address, name, isOn, show) {
  const toggle = toggles.get(address) ?? { waiting: 0, isOn: !isOn }
  toggles.set(address, toggle)
  toggle.waiting += 1
  const isAccepted = await (queue = queue.then(() => send(address, { [name]: Number(isOn) })))
  toggle.waiting -= 1
  if (isAccepted) toggle.isOn = isOn
  if (!toggle.waiting) toggles.delete(address)
  if (!toggle.waiting && toggle.isOn !== isOn) show(toggle.isOn)
  return isAccepted
}

async function send(address, values) {
  try {
    const headers = { "HX-Request": "true", "X-CSRFToken": token() }
    const answer = await fetch(address, { method: "POST", headers, body: new URLSearchParams(values) })
    if (answer.ok) return true
    showError(wordsOf(fragmentsOf(await answer.text()))?.words ?? failed())
  } catch {
    showError(failed())
  }
  return false
}

const failed = () => document.querySelector("[data-failed]").dataset.failed
