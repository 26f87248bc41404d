// Tells users of screen readers what happened, without showing it. The region stands in the topmost open dialog, because
// everything outside a modal dialog is hidden from them.
const region = document.createElement("div")
region.className = "visually-hidden"
region.setAttribute("role", "status")

let pending

// The region is emptied first: otherwise the same sentence would not be read a second time.
export function announce(text) {
  const place = [...document.querySelectorAll("dialog:modal")].at(-1) ?? document.body
  if (region.parentElement !== place) place.append(region)
  region.textContent = ""
  clearTimeout(pending)
  pending = setTimeout(() => { region.textContent = text }, 60)
}
