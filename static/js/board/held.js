// Tiles and lists that stay where they are, because they are being dragged, or a change of them is being sent. What others
// change of them meanwhile is shown when the last holder lets go.
const held = new Map() // by the element's id: how many hold it, and what to do afterwards

// Without an id: whether anything is held.
export const isHeld = (id) => (id === undefined ? held.size > 0 : held.has(id))

export function hold(ids) {
  for (const id of ids) {
    if (!held.has(id)) held.set(id, { holders: 0, later: [] })
    held.get(id).holders += 1
  }
}

export function letGo(ids) {
  for (const id of ids) {
    const one = held.get(id)
    if (!one || (one.holders -= 1) > 0) continue
    held.delete(id)
    for (const act of one.later) act()
  }
}

// Returns whether the element is held. If it is, `act` is called when nobody holds it any more.
export function waits(id, act) {
  held.get(id)?.later.push(act)
  return held.has(id)
}
