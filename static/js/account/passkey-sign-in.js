// The form for signing in with a passkey: by its button, and from what the browser offers below the field for the address.
import { showError } from "../kit/toasts.js";
import { areThere, optionsFrom, sendWith } from "./webauthn.js";

export default function passkeySignIn(form) {
  if (!areThere()) return
  let waiting = null // the offer below the field, which ends when the button is pressed
  form.hidden = false
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    waiting?.abort()
    ask().catch((error) => { if (error.name !== "AbortError") showError(form.dataset.failed) })
  })
  offer().catch(() => {}) // whoever wants a passkey still has the button

  async function offer() {
    if (!await PublicKeyCredential.isConditionalMediationAvailable?.()) return
    waiting = new AbortController()
    await ask({ mediation: "conditional", signal: waiting.signal })
  }

  async function ask(more = {}) {
    const body = new FormData(form)
    const answer = await fetch(form.dataset.options, { method: "POST", body })
    if (!answer.ok) throw new Error(`The options for a passkey were answered with ${answer.status}.`)
    const credential = await navigator.credentials.get({ publicKey: optionsFrom(await answer.json()), ...more })
    sendWith(form, "credential", credential)
  }
}
