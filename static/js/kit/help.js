// Shows the page of help as a dialog over the board.
import { fetchFragments } from "./fetch-fragments.js";
import { showError } from "./toasts.js";
import { isBeside } from "./beside.js";

export default function help(board) {
  board.addEventListener("board:help", async () => {
    try {
      const [dialog] = await fetchFragments("/help", new AbortController().signal)
      if (document.getElementById("help")) return
      document.body.append(dialog)
      dialog.addEventListener("close", () => dialog.remove())
      dialog.addEventListener("click", (event) => { if (isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close() })
      dialog.showModal()
    } catch (error) {
      showError(error.words ?? board.dataset.failed)
    }
  })
}
