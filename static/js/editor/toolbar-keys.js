// One button of a toolbar can be reached by Tab; arrows go to the others.

// Returns a function that focuses the one at this place, or the one that Tab reaches.
export function roving(bar) {
  const buttons = [...bar.querySelectorAll("button")]
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key]
    if (!step) return
    event.preventDefault()
    const at = buttons.indexOf(event.target) + step
    focus(at === Infinity ? buttons.length - 1 : at === -Infinity ? 0 : (at + buttons.length) % buttons.length)
  })
  return focus

  function focus(at = buttons.findIndex((button) => button.tabIndex === 0)) {
    buttons.forEach((button, place) => { button.tabIndex = place === at ? 0 : -1 })
    buttons[at].focus()
    return true
  }
}
