// Shows the chosen theme or density at once. It is kept only when the form is saved.
export default function appearance(fieldset) {
  const show = (choice) => { document.documentElement.dataset[choice.name] = choice.value }
  fieldset.addEventListener("change", ({ target }) => show(target))
  show(fieldset.querySelector(":checked")) // it may have been chosen before this script came
}
