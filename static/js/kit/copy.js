// A copy button: copies the text of the element named by data-copy to the clipboard and says so. Hidden without scripts.
import { showError, showToast } from "./toasts.js";

export default function copy(button) {
  const source = document.getElementById(button.dataset.copy)
  button.hidden = false
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(source.textContent.trim())
      showToast(button.dataset.copied)
    } catch {
      select(source)
      showError(button.dataset.failed)
    }
  })
}

function select(source) {
  const range = document.createRange()
  range.selectNodeContents(source)
  const selection = getSelection()
  selection.removeAllRanges()
  selection.addRange(range)
}
