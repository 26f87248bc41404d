// Which tile the keys mean, by what happened last. Nothing here knows the page, which is card-meant.js.
//
//   point  the pointer moved, onto that tile or off all tiles    focus  the focus went to that tile, or off all tiles
//   scroll the lists scrolled below the pointer                  slide  tiles changed places below the resting pointer
//   open   a dialog or menu of that tile opened                  close  it closed
//   lift   that tile began to be dragged                         drop   its drag ended
//   gone   that tile left the page
//
// The pointer decides as soon as it has moved, the focus as soon as it went to another tile. What happens behind an open dialog,
// or during a drag, decides nothing. A page gives the focus of a tile to the one that is pointed at, so that both are the same.
export const NOTHING = { tile: null, by: "pointer", focused: null, isHeld: false }

const rules = {
  point: (was, tile) => tile ? pointed(was, tile) : left(was),
  scroll: (was, tile) => was.by === "pointer" ? rules.point(was, tile) : was,
  slide: (was, tile) => was.by === "pointer" && !was.tile && tile ? pointed(was, tile) : was,
  focus: (was, tile) => tile ? focused(was, tile) : { ...was, focused: null, tile: was.by === "keys" ? null : was.tile },
  open: (was, tile) => ({ ...was, tile, by: "keys", isHeld: true }),
  close: (was, tile) => ({ tile, by: "keys", focused: tile, isHeld: false }),
  lift: (was, tile) => rules.open(was, tile),
  drop: (was, tile) => ({ ...was, tile, by: "keys", isHeld: false }),
  gone: (was, tile) => ({ ...was, tile: was.tile === tile ? null : was.tile, focused: was.focused === tile ? null : was.focused }),
}
const ALWAYS = ["open", "close", "drop", "gone"]

export function next(was, { type, tile = null }) {
  return was.isHeld && !ALWAYS.includes(type) ? was : rules[type](was, tile)
}

const pointed = (was, tile) => ({ ...was, tile, by: "pointer", focused: was.focused && tile })

// Off all tiles, the one that has the focus is left, if any.
function left(was) {
  if (was.by === "keys") return was
  return { ...was, tile: was.focused, by: was.focused ? "keys" : "pointer" }
}

function focused(was, tile) {
  return { ...was, tile, focused: tile, by: tile === was.tile ? was.by : "keys" }
}
