// Shows the chosen theme at once. It is kept only when the form is saved.
export default function theme(fieldset) {
  fieldset.addEventListener("change", (event) => { document.documentElement.dataset.theme = event.target.value })
}
