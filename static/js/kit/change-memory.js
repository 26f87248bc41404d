// Remembers the last ten changes of a page by the names that the server gave them (X-Changes), to take back the newest. Each step
// waits for the one before, and for `ready`: what was sent but not answered is what the reader means.
const MOST = 10

// `send` asks the server to take a change back, and `nothing` says that there is none for "undo" or "redo".
export function changeMemory({ ready, send, nothing }) {
  const changes = { undo: [], redo: [] } // the newest last; those to redo took back others
  let queue = Promise.resolve()
  return { remember, moved, step: (way) => { queue = queue.then(() => step(way)) } }

  function remember(named) {
    keep(changes.undo, named)
    changes.redo.length = 0
  }

  // What was taken back, by a key or by a button, moves to the other list. What was refused is forgotten.
  function moved(sent, named) {
    const wasRedone = forget(changes.redo, sent)
    forget(changes.undo, sent)
    if (named) keep(changes[wasRedone ? "undo" : "redo"], named)
  }

  async function step(way) {
    await ready()
    const change = changes[way].at(-1)
    return change ? send(change) : nothing?.(way)
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
