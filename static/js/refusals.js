// What the server refuses: read from its answer, shown beside the field at fault, else as a message.
import { fragmentsOf } from "./place.js";
import { showToast } from "./toasts.js";

// The sentence and the name of the field, or nothing where the answer is something else.
export function refusalIn(xhr) {
  if (xhr.getResponseHeader("X-Answer") !== "fragments") return undefined
  const words = fragmentsOf(xhr.responseText)[0]?.closest(".refusal")
  return words && { words: words.textContent.trim(), name: words.dataset.field }
}

export function showRefusal(field, words) {
  if (!field) return showToast(words)
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
