// A button that shows the text of a password field. Hidden without scripts.
export default function reveal(button) {
  const field = document.getElementById(button.getAttribute("aria-controls"))
  button.hidden = false
  button.addEventListener("click", () => show(field.type === "password"))
  field.form.addEventListener("submit", () => show(false))

  function show(visible) {
    field.type = visible ? "text" : "password"
    button.setAttribute("aria-pressed", String(visible))
  }
}
