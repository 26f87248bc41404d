// Says where tiles are, as the page shows them.
export function whereabouts(tile, number = 1) {
  const { moved, movedMany } = document.getElementById("tile-menu").dataset
  const list = tile.closest(".list")
  const tiles = [...list.querySelectorAll("ol > .card")]
  const all = tiles.length + Number(list.dataset.more ?? 0)
  const words = number > 1 ? movedMany.replace("NUMBER", number) : moved.replace("PLACE", tiles.indexOf(tile) + 1).replace("ALL", all)
  return words.replace("LIST", () => list.querySelector("h2").textContent)
}
