// Asks the server for options while somebody types. An older answer never replaces a newer one.
import { fetchFragments } from "./fetch-fragments.js";

const PAUSE = 120 // milliseconds after the last letter

// `show` gets the elements of the answer; `fail` gets the error. `pending` returns a promise that ends with the newest answer;
// undefined if there is nothing to wait for.
export function lookUp(address, show, fail) {
  let asked
  let waiting
  let newest // what is asked: { answered, settle }

  function ask(parameters, { now = false } = {}) {
    clearTimeout(waiting)
    asked?.abort()
    const older = newest, mine = newest = {}
    mine.answered = new Promise((settle) => { mine.settle = settle })
    if (older) mine.answered.then(older.settle) // who waits for an older question waits for the newest
    const { signal } = asked = new AbortController()
    waiting = setTimeout(async () => {
      try {
        const elements = await fetchFragments(`${address}?${new URLSearchParams(parameters)}`, signal)
        if (!signal.aborted) show(elements)
      } catch (error) {
        if (!signal.aborted) fail(error)
      }
      if (newest === mine) settle()
    }, now ? 0 : PAUSE)
  }

  function settle() {
    newest?.settle()
    newest = undefined
  }

  function stop() {
    clearTimeout(waiting)
    asked?.abort()
    settle()
  }

  return { ask, stop, pending: () => newest?.answered }
}
