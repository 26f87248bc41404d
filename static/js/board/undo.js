// Takes back what forms and scripts of this board have changed: board:undo, board:redo.
import { changeMemory } from "../kit/change-memory.js";
import { allSent, sendValues } from "../kit/send-forms.js";
import { showToast } from "../kit/toasts.js";

export default function undo(board) {
  const address = `/board/${board.dataset.board}/undo`
  const { remember, moved, step } = changeMemory({
    ready: allSent,
    send: (change) => sendValues(address, { change }),
    nothing: (way) => showToast(document.getElementById(`nothing-to-${way}`).content.textContent),
  })

  board.addEventListener("board:answered", ({ detail: { action, values, status, changes } }) => {
    const sent = action === address && values.change
    if (sent && status && status < 500) moved(sent, changes)
    else if (changes && !sent) remember(changes)
  })
  board.addEventListener("board:changed", ({ detail }) => remember(detail)) // by what was not sent as a form
  for (const way of ["undo", "redo"]) board.addEventListener(`board:${way}`, () => step(way))
}
