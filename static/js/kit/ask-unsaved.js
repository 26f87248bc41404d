// Asks before the text of a form is lost with the page, also when another form of the page is sent.
import { hasUnsavedText } from "./busy.js";

export default function askUnsaved(form) {
  let isSent = false
  form.addEventListener("submit", () => { isSent = true })
  addEventListener("beforeunload", (event) => {
    if (!isSent && hasUnsavedText(form)) event.preventDefault()
    isSent = false
  })
}
