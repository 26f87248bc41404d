// Keeps a form as it is while a press elsewhere takes the focus from it: what is below would move away from the click.
export default function holdStill(form) {
  document.addEventListener("pointerdown", hold, { capture: true })

  function hold() {
    if (!form.isConnected) document.removeEventListener("pointerdown", hold, { capture: true })
    if (!form.contains(document.activeElement)) return
    form.dataset.held = ""
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, release, { once: true })
  }

  function release() {
    setTimeout(() => { delete form.dataset.held }) // after the click
  }
}
