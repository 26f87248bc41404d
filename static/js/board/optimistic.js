// Shows a move before the server has agreed to it. A tile keeps its list and position in its attributes until the server's
// answer changes them, so these say where it goes back to.
import { isHeld } from "./held.js";
import { count, putBefore } from "./place-lists.js";
import { place } from "./place.js";

// Places a tile in a list, before the tile `before` or else after all of its tiles. Returns a function that puts it back.
export function moveTile(tile, list, before = null) {
  const from = tile.closest(".list")
  putBefore(list.querySelector("ol"), tile, before)
  for (const one of new Set([from, list])) count(one)
  return () => settle(tile.id)
}

// Puts a tile or a list where its attributes say, unless a further change of it is on its way.
export function settle(id) {
  const element = document.getElementById(id)
  if (element && !isHeld(id)) place(element)
}
