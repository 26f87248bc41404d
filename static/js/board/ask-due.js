// Asks for the due date of the selected cards at once, and says how many they are.
import { sendCards } from "./send-cards.js";

export function askDue(cards) {
  const dialog = document.getElementById("due-dialog")
  const form = dialog.querySelector("form")
  form.reset()
  form.querySelector("#due-dialog-number").textContent = document.querySelector(".selection > [role=status]").textContent
  form.onsubmit = (event) => {
    event.preventDefault()
    event.stopPropagation() // send-forms.js
    dialog.close()
    if (event.submitter?.value === "none") return sendCards(cards, { due: "", time: "" })
    return form.due.value && sendCards(cards, { due: form.due.value, time: form.time.value })
  }
  dialog.onclick = ({ target }) => { if (target === dialog || target.closest("[data-close]")) dialog.close() }
  dialog.showModal()
}
