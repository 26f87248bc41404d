// Buttons for what a card lacks that open its fields at the side: the start date, and how the card repeats.
export default function cardOffers(offers) {
  offers.addEventListener("click", (event) => {
    const button = event.target.closest("button")
    if (!button) return
    event.stopPropagation() // a click beside a menu closes it (menus.js)
    if (button.matches("[data-start]")) askStart(button)
    else openChoice(document.getElementById("recurrence"))
  })
}

// The focus comes back where Escape closes the menu. What is saved takes the button away.
function askStart(button) {
  const menu = document.getElementById("due-menu"), until = new AbortController(), { signal } = until
  let isLeft = false
  menu.open = true
  menu.querySelector("[name=startDate]").focus()
  menu.addEventListener("keydown", ({ key }) => { isLeft = key === "Escape" }, { signal })
  menu.addEventListener("toggle", () => {
    if (menu.open) return
    until.abort()
    if (isLeft) button.focus()
  }, { signal })
}

function openChoice(select) {
  select.focus()
  select.showPicker?.()
}
