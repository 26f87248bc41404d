// Remembers what the last ten answers on this page have changed, and takes the newest back: board:undo, board:redo.
import { allSent, sendValues } from "../kit/send-forms.js";
import { showToast } from "../kit/toasts.js";

const MOST = 10

export default function undo(board) {
  const address = `/board/${board.dataset.board}/undo`
  const done = [] // each as the server named it in X-Changes, the newest last
  const undone = [] // the changes that took back others
  let queue = Promise.resolve() // the next step waits for the answer to this one

  board.addEventListener("board:answered", ({ detail: { action, values, status, changes } }) => {
    const sent = action === address && values.change
    if (sent && status && status < 500) moved(sent, changes)
    else if (changes && !sent) remember(changes)
  })
  board.addEventListener("board:changed", ({ detail }) => remember(detail)) // by what was not sent as a form
  board.addEventListener("board:undo", () => { queue = queue.then(() => step(done, "nothing-to-undo")) })
  board.addEventListener("board:redo", () => { queue = queue.then(() => step(undone, "nothing-to-redo")) })

  function remember(named) {
    keep(done, named)
    undone.length = 0
  }

  // What was taken back, by a key or by a button, moves to the other list. What was refused is forgotten.
  function moved(sent, named) {
    const wasRedone = forget(undone, sent)
    forget(done, sent)
    if (named) keep(wasRedone ? done : undone, named)
  }

  // What is shown as done may not have been answered yet: it is what the reader means.
  async function step(from, nothing) {
    await allSent()
    const change = from.at(-1)
    if (!change) return showToast(document.getElementById(nothing).content.textContent)
    return sendValues(address, { change })
  }
}

function keep(list, named) {
  list.push(named)
  list.splice(0, list.length - MOST)
}

function forget(list, named) {
  const at = list.lastIndexOf(named)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}
