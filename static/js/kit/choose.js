// Sends the form of a <select> as soon as something is chosen; without scripts its button does.
export default function choose(select) {
  select.form.querySelector("button").hidden = true
  select.addEventListener("change", () => select.form.requestSubmit())
}
