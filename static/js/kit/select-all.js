// Selects the text of a field with suggestions when it gets the focus, so that typing starts a new search.
export default function selectAll(field) {
  field.addEventListener("focus", () => field.select())
}
