// The style sheets of what a board shows only above itself: a card, the Share dialog, the viewer. They are fetched at the first
// sign of somebody, and awaited before one of these is shown.
let coming

// Returns a promise that ends when they are there, at once on a page that came with them. If it fails, the next call tries again.
export function laterStyles() {
  const addresses = document.querySelector("[data-later-styles]")?.dataset.laterStyles.split(" ") ?? []
  coming ??= Promise.all(addresses.map(load)).catch((error) => {
    coming = undefined
    throw error
  })
  return coming
}

function load(href) {
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", href })
  return new Promise((resolve, reject) => {
    link.addEventListener("load", resolve)
    link.addEventListener("error", () => {
      link.remove()
      reject(new TypeError(`Failed to fetch the style sheet: ${href}`))
    })
    document.head.append(link)
  })
}
