// Scrolls what is under a drag when the pointer is near an edge: the faster, the nearer it is.
const EDGE = 64 // pixels
const FASTEST = 1.2 // pixels a millisecond

// `lists` scroll sideways, `inside` is the column under the pointer. `elapsed`: milliseconds since the last call.
export function autoScroll(lists, inside, x, y, elapsed) {
  for (const scroller of [lists, inside]) {
    if (!scroller) continue
    const { left, right, top, bottom } = scroller.getBoundingClientRect()
    const across = scroller === lists ? speed(x, left, right) : 0
    const down = speed(y, top, bottom)
    if (across || down) scroller.scrollBy({ left: across * elapsed, top: down * elapsed, behavior: "instant" })
  }
}

function speed(at, start, end) {
  const edge = Math.min(EDGE, (end - start) / 4)
  const towards = (distance) => Math.max(0, 1 - Math.max(0, distance) / edge) ** 2 * FASTEST
  return towards(end - at) - towards(at - start)
}
