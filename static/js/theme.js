// Shows a chosen theme at once; saving the form keeps it.
export default function theme(fieldset) {
  fieldset.addEventListener("change", (event) => { document.documentElement.dataset.theme = event.target.value })
}
