// Starts the behaviours named by data-behaviour="name other-name" on each element, now and whenever htmx adds elements.
// A behaviour is a module of static/js/ whose default export takes the element. It is loaded when first needed.
const behaviours = {
  copy: () => import("./copy.js"),
  "edit-in-place": () => import("./edit-in-place.js"),
  "live-board": () => import("./live-board.js"),
  menus: () => import("./menus.js"),
  "open-card": () => import("./open-card.js"),
  reveal: () => import("./reveal.js"),
  "select-all": () => import("./select-all.js"),
  "send-forms": () => import("./send-forms.js"),
  theme: () => import("./theme.js"),
  "time-zone": () => import("./time-zone.js"),
  times: () => import("./times.js"),
  toasts: () => import("./toasts.js"),
}

const wired = new WeakSet()

export function wire(root) {
  const asking = root.querySelectorAll("[data-behaviour]")
  for (const element of root.matches?.("[data-behaviour]") ? [root, ...asking] : asking) start(element)
}

function start(element) {
  if (wired.has(element)) return
  wired.add(element)
  const starts = element.dataset.behaviour.split(" ").map(async (name) => (await behaviours[name]()).default(element))
  Promise.all(starts).then(() => element.setAttribute("data-wired", ""))
}

wire(document)
document.addEventListener("htmx:load", (event) => wire(event.detail.elt))
