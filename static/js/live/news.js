// What the connection of a page tells, also to scripts that come after it was told.
const last = new Map() // by name

export function tellNews(name, detail) {
  last.set(name, detail)
  document.dispatchEvent(new CustomEvent(name, { detail }))
}

// Calls `hear` with each news of this name, and at once with what was told last.
export function onNews(name, hear) {
  document.addEventListener(name, ({ detail }) => hear(detail))
  if (last.has(name)) hear(last.get(name))
}
