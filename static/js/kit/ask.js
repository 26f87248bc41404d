// Asks before something is lost, by the dialog of a <template> with this id. Resolves to whether the reader agreed. Escape and going
// back in the browser's history are a no. `values` replace their names in the words of the dialog.
export function agreed(id, values = {}) {
  const dialog = document.getElementById(id).content.firstElementChild.cloneNode(true)
  const words = dialog.querySelector("[data-words]")
  for (const [name, value] of Object.entries(values)) words.textContent = words.textContent.replace(name, () => value)
  const asked = new AbortController()
  document.body.append(dialog)
  addEventListener("popstate", () => dialog.close(), asked)
  dialog.showModal()
  return new Promise((resolve) => dialog.addEventListener("close", () => {
    asked.abort()
    dialog.remove()
    resolve(dialog.returnValue === "yes")
  }))
}
