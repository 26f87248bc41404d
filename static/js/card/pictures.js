// Pictures of files: a click opens one large. Those that are being made yet are asked for again until they are there.
const WAITS = [1000, 2000, 4000, 8000, 15000] // milliseconds
const PICTURES = ":is(.picture, .file-look, .card > .cover) > img, .ProseMirror img[src]"
const tried = new WeakMap()

export default function pictures(board) {
  board.addEventListener("error", ({ target }) => { if (target.matches?.(PICTURES)) again(target) }, true)
  for (const image of board.querySelectorAll(PICTURES)) if (image.complete && !image.naturalWidth) again(image)
  board.addEventListener("click", async (event) => {
    const link = event.target.closest("a.picture, a[data-look]")
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const { view } = await import("./viewer.js")
    view(link)
  })
}

function again(image) {
  const times = tried.get(image) ?? 0
  tried.set(image, times + 1)
  if (times >= WAITS.length) return
  setTimeout(() => { image.src = image.getAttribute("src") }, WAITS[times])
}
