// Asks the server for options while somebody types. An older answer never replaces a newer one.
import { fetchFragments } from "./fetch-fragments.js";

const PAUSE = 120 // milliseconds after the last letter

// `show` gets the elements of the answer; `fail` gets the error.
export function lookUp(address, show, fail) {
  let asked
  let waiting

  function ask(parameters, { now = false } = {}) {
    clearTimeout(waiting)
    asked?.abort()
    const { signal } = asked = new AbortController()
    waiting = setTimeout(async () => {
      try {
        const elements = await fetchFragments(`${address}?${new URLSearchParams(parameters)}`, signal)
        if (!signal.aborted) show(elements)
      } catch (error) {
        if (!signal.aborted) fail(error)
      }
    }, now ? 0 : PAUSE)
  }

  return { ask, stop: () => { clearTimeout(waiting); asked?.abort() } }
}
