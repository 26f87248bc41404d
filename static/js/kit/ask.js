// Asks before something is lost, by the dialog of a <template> with this id. Resolves to whether the reader agreed. Escape and going
// back in the browser's history are a no.
export function agreed(id) {
  const dialog = document.getElementById(id).content.firstElementChild.cloneNode(true)
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
