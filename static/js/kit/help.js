// Shows the page of help as a dialog over the board.
import { fetchFragments } from "./fetch-fragments.js";
import { showToast } from "./toasts.js";

export default function help(board) {
  board.addEventListener("board:help", async () => {
    try {
      const [dialog] = await fetchFragments("/help", new AbortController().signal)
      if (document.getElementById("help")) return
      document.body.append(dialog)
      dialog.addEventListener("close", () => dialog.remove())
      dialog.addEventListener("click", ({ target }) => { if (target === dialog || target.closest("[data-close]")) dialog.close() })
      dialog.showModal()
    } catch (error) {
      showToast(error.words ?? board.dataset.failed)
    }
  })
}
