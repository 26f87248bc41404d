// Posts the values of a form and reads the answer. It never throws: where no answer came, `status` is 0.
import { fragmentsOf } from "../board/place.js";

const PATIENCE = 20000

// Returns { status, isAccepted, changes, redirect, elements }. `changes` is what the server calls what it changed, `redirect` an
// address to open instead, and `elements` the fragments; they are undefined if the answer has none.
export async function post(address, values, headers) {
  const request = { method: "POST", body: encoded(values), headers: { ...headers, "HX-Request": "true", "HX-Current-URL": location.href } }
  try {
    const answer = await fetch(address, { ...request, signal: AbortSignal.timeout(PATIENCE) })
    const text = await answer.text()
    return {
      status: answer.status,
      isAccepted: answer.ok,
      changes: answer.headers.get("X-Changes"),
      redirect: answer.headers.get("HX-Redirect"),
      elements: answer.headers.get("X-Answer") === "fragments" ? fragmentsOf(text) : undefined,
    }
  } catch {
    return { status: 0, isAccepted: false }
  }
}

// A name whose value is an array occurs several times.
function encoded(values) {
  return new URLSearchParams(Object.entries(values).flatMap(([name, value]) => [value].flat().map((one) => [name, one])))
}

// Calls `change`, which replaces elements. If the one with the focus is replaced by one with its id, that has the focus and the
// cursor afterwards.
export function keepingFocus(change) {
  const focused = document.activeElement
  const { id, selectionStart, selectionEnd } = focused ?? {}
  change()
  const next = id && !focused.isConnected && document.getElementById(id)
  if (!next) return
  next.focus({ preventScroll: true })
  if (Number.isInteger(selectionStart)) next.setSelectionRange?.(selectionStart, selectionEnd)
}
