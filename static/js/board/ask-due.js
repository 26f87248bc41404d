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
    if (event.submitter?.value === "none") return send({ due: "", time: "" })
    return form.due.value && send({ due: form.due.value, time: form.time.value })
  }
  dialog.onclick = (event) => {
    const day = event.target.closest("[data-day]")?.dataset.day // a word that the server knows
    if (day || isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close()
    if (day) send({ due: day, time: "" })
  }
  dialog.showModal()
}
