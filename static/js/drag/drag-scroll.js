// Scrolls what is under a drag when the pointer is near an edge: the faster, the nearer it is. For a finger, which covers what it
// is at, the lists go on one by one.
const EDGE = 64 // pixels
const FASTEST = 1.2 // pixels a millisecond
const FINGER_EDGE = 48 // pixels
const REST = 400 // milliseconds that a finger is at the edge before the lists go on
const STEP = 1000 // and from one list to the next

// Returns a function to be called once a frame: it goes on to the list beside when a finger rests at a side, once a second.
export function stepper(lists) {
  let came = Infinity
  let stepped = -Infinity
  return (x, now) => {
    const { left, right } = lists.getBoundingClientRect()
    const way = Number(x > right - FINGER_EDGE) - Number(x < left + FINGER_EDGE)
    came = way ? Math.min(came, now) : Infinity
    if (now - came < REST || now - stepped < STEP) return
    stepped = now
    lists.scrollBy({ left: toNext(lists, way, (left + right) / 2), behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "instant" : "smooth" })
  }
}

// How far it is to the list beside that in the middle.
function toNext(lists, way, middle) {
  const away = [...lists.querySelectorAll(":scope > .list:not(.lifted)")].map((list) => {
    const { left, right } = list.getBoundingClientRect()
    return (left + right) / 2 - middle
  })
  return away.filter((one) => one * way > 1).sort((one, other) => Math.abs(one) - Math.abs(other))[0] ?? 0
}

// `lists` scroll sideways, unless they are undefined; `inside` is the column under the pointer. `elapsed`: milliseconds since the
// last call.
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
