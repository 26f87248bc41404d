// Asks for a due date in a dialog. `words` say of which cards, `due` and `time` are the present ones, and `send` gets the fields of the form.
import { isBeside } from "../kit/beside.js";

export function askDue({ words, due = "", time = "", send }) {
  const dialog = document.getElementById("due-dialog")
  const form = dialog.querySelector("form")
  form.reset()
  form.querySelector("#due-dialog-number").textContent = words
  form.due.value = due
  form.time.value = time
  form.onsubmit = (event) => {
    event.preventDefault()
    event.stopPropagation() // send-forms.js
    dialog.close()
    const chosen = event.submitter?.value // "none", or a word for a day as the server knows it
    if (chosen) return send({ due: chosen === "none" ? "" : chosen, time: "" })
    return form.due.value && send({ due: form.due.value, time: form.time.value })
  }
  dialog.onclick = (event) => { if (isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close() }
  dialog.showModal()
}
