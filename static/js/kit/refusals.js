// Reads the server's refusal from its answer, and shows it beside the field at fault or else as a message.
import { fragmentsOf } from "../board/place.js";
import { showError } from "./toasts.js";

// Returns the sentence and the name of the field, or undefined if the answer is not a refusal.
export function refusalIn(xhr) {
  return xhr.getResponseHeader("X-Answer") === "fragments" ? wordsOf(fragmentsOf(xhr.responseText)) : undefined
}

export function wordsOf([first]) {
  const words = first?.closest(".refusal")
  return words ? { words: words.textContent.trim(), name: words.dataset.field } : undefined
}

export function showRefusal(field, words) {
  if (!field?.parentElement.checkVisibility()) return showError(words) // its form or card was closed meanwhile
  const sentence = document.createElement("p")
  Object.assign(sentence, { className: "refusal", textContent: words })
  sentence.setAttribute("role", "alert")
  field.after(sentence)
  field.setAttribute("aria-invalid", "true")
  field.focus()
  field.addEventListener("input", () => {
    sentence.remove()
    field.removeAttribute("aria-invalid")
  }, { once: true })
}
