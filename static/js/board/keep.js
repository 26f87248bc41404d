// Sends what the reader keeps about a board for themselves (web/boards/my_view.py). It changes nothing on the board, so it
// waits only for what was sent in the same way before it.
import { fragmentsOf } from "./place.js";
import { wordsOf } from "../kit/refusals.js";
import { token } from "../kit/send-forms.js";
import { showError } from "../kit/toasts.js";

let queue = Promise.resolve()

// Returns whether the server accepted it; its refusal is shown as a message.
export function keep(address, values) {
  return queue = queue.then(() => send(address, values))
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
