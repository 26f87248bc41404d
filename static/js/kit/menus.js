// Every <details class="menu"> closes by Escape (focus returns to its button), by a click elsewhere and when focus leaves it.
export default function menus(page) {
  page.addEventListener("click", (event) => closeAllBut(event.target))
  page.addEventListener("focusin", (event) => closeAllBut(event.target))
  page.addEventListener("keydown", (event) => {
    const menu = event.target.closest("details.menu[open]")
    if (event.key !== "Escape" || !menu) return
    event.preventDefault()
    menu.open = false
    menu.querySelector("summary").focus()
  })
}

function closeAllBut(target) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(target)) menu.open = false
  }
}
