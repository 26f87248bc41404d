// A field above many choices hides those without the letters that are typed into it. What is chosen stays chosen.
export default function filterChoices(choices) {
  const field = choices.querySelector("[type=search]")
  field.hidden = false
  field.addEventListener("input", () => {
    const letters = field.value.trim().toLocaleLowerCase()
    for (const label of choices.querySelectorAll("label")) {
      label.hidden = !label.textContent.toLocaleLowerCase().includes(letters)
    }
  })
  field.addEventListener("keydown", (event) => {
    if (event.key === "Enter") event.preventDefault() // it would send the form
  })
}
