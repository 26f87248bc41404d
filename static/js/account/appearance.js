// Shows the chosen theme or density at once. It is kept only when the form is saved.
export default function appearance(fieldset) {
  fieldset.addEventListener("change", ({ target }) => { document.documentElement.dataset[target.name] = target.value })
}
