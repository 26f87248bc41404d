// A button that makes a passkey (data-create) or asks for one (data-get) and sends its form with the answer in data-field.
// Hidden without scripts, and where the browser has no passkeys.
import { showError } from "../kit/toasts.js";
import { areThere, optionsFrom, sendWith } from "./webauthn.js";

export default function passkey(button) {
  if (!areThere()) return
  const { create, get, field, failed, exists } = button.dataset
  button.hidden = false
  button.addEventListener("click", async () => {
    if (create && !button.form.reportValidity()) return
    button.disabled = true
    try {
      const publicKey = optionsFrom(create ?? get)
      const credential = await (create ? navigator.credentials.create({ publicKey }) : navigator.credentials.get({ publicKey }))
      sendWith(button.form, field, credential)
    } catch (error) {
      showError(error.name === "InvalidStateError" && exists ? exists : failed)
      button.disabled = false
    }
  })
}
