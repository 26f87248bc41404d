// Every <details class="menu"> closes by Escape (focus returns to its button), by a click elsewhere and when focus leaves it;
// those of lists and files also by what was chosen. A press on words focuses an element around the menu; that does
// not close it.
const ACTS = ":is(.list > header > .menu, .file-menu) button[formaction]"

export default function menus(page) {
  page.addEventListener("click", ({ target }) => {
    closeAllBut(target)
    const chosen = target.closest(ACTS)
    if (chosen) closeMenu(chosen.closest(".menu"))
  })
  page.addEventListener("focusin", ({ target }) => { if (!target.querySelector("details.menu[open]")) closeAllBut(target) })
  page.addEventListener("keydown", (event) => {
    const menu = event.target.closest("details.menu[open]")
    if (event.key !== "Escape" || event.isComposing || !menu) return
    event.preventDefault()
    closeMenu(menu)
  })
}

export function closeMenu(menu) {
  menu.open = false
  menu.querySelector("summary").focus()
}

function closeAllBut(target) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(target)) menu.open = false
  }
}
