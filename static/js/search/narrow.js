// What narrows a search: each menu says what is ticked in it, as web/search/narrowing.py does, and all of it can be cleared.
export default function narrow(row) {
  row.addEventListener("change", ({ target }) => {
    const menu = target.closest(".menu")
    if (menu) tell(menu)
  })
  return { clear }

  function clear() {
    row.querySelector("select, summary").focus() // what was pressed leaves
    for (const box of row.querySelectorAll(".menu :checked")) box.checked = false
    for (const choice of row.querySelectorAll("select")) choice.value = ""
    for (const menu of row.querySelectorAll(".menu")) tell(menu)
  }
}

function tell(menu) {
  const ticked = menu.querySelectorAll(":checked"), isOne = ticked.length === 1
  menu.querySelector(".kind").classList.toggle("visually-hidden", isOne)
  menu.querySelector(".said").textContent = isOne ? ticked[0].closest("label").textContent : ticked.length || ""
}
