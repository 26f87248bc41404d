// A button that prints the page. Hidden without scripts.
export default function printPage(button) {
  button.hidden = false
  button.addEventListener("click", () => print())
}
