// A menu for many things, which opens beside the button of one. Arrows go through its entries; Tab and Escape close it.
const EDGE = 8, GAP = 4 // pixels

// `choose` gets the name of an entry after the menu has closed, and `home` returns what then has the focus.
export function menuSheet(menu, { choose, home }) {
  const entries = () => [...menu.querySelectorAll("[data-tell]:not([hidden])")]

  menu.addEventListener("keydown", (event) => {
    const shown = entries(), at = shown.indexOf(document.activeElement)
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (event.key === "Tab" || event.key === "Escape") close()
    else if (to === undefined) return
    else shown.at(to % shown.length).focus()
    event.preventDefault()
  })
  menu.addEventListener("click", (event) => {
    const name = event.target.closest("[data-tell]")?.dataset.tell
    if (!name) return
    event.preventDefault() // shortcuts.js would ask a second time
    close()
    choose(name)
  })
  return { open, close, word }

  // Opens from the left edge of the button, or `atEnd` from its right one; above it where there is no room below.
  function open(button, { atEnd = false } = {}) {
    menu.showPopover()
    const { left, right, top, bottom } = button.getBoundingClientRect()
    const from = atEnd ? right - menu.offsetWidth : left, isLow = bottom + menu.offsetHeight + EDGE + GAP > innerHeight
    menu.style.left = `${Math.max(EDGE, Math.min(from, innerWidth - menu.offsetWidth - EDGE))}px`
    menu.style.top = `${Math.max(EDGE, isLow ? top - menu.offsetHeight - GAP : bottom + GAP)}px`
    entries()[0].focus()
  }

  function close() {
    menu.hidePopover()
    home()?.focus({ preventScroll: true })
  }

  // Says what an entry that has two directions does.
  function word(name, isSo) {
    const words = menu.querySelector(`[data-tell="${name}"] > [data-undo]`)
    words.textContent = words.dataset[isSo ? "undo" : "do"]
  }
}
