// Tells that an element is new on the page: main.js starts its behaviours, and others show on it what they know.
export function tellPlaced(element) {
  element.dispatchEvent(new CustomEvent("fragment:placed", { bubbles: true }))
}
