// A pencil beside each label in the menu of an open card: the form that creates labels then renames and recolors that one.
export default function editLabel(picker) {
  const details = picker.closest("details")
  const form = picker.querySelector("form")
  const field = form.querySelector("[name=name]")
  const [send, cancel] = form.querySelectorAll("[data-save], [data-cancel]")
  const own = { action: form.getAttribute("action"), words: send.textContent }

  if (details.open) addPencils(picker)
  new MutationObserver(() => { if (details.open) addPencils(picker) }).observe(picker, { childList: true }) // labels of others came
  details.addEventListener("toggle", () => {
    if (details.open) addPencils(picker)
    else leave()
  })
  cancel.addEventListener("click", () => {
    leave()
    field.focus()
  })
  picker.addEventListener("click", ({ target }) => {
    const pencil = target.closest("[data-pencil]")
    if (pencil) edit(pencil.parentElement.querySelector(".item"))
  })

  function edit(item) {
    const label = item.querySelector(".label")
    picker.toggleAttribute("data-editing", true)
    form.setAttribute("action", `/label/${item.value}`)
    form.querySelector(`[name=color][value="${/hue-(\d+)/.exec(label.className)[1]}"]`).checked = true
    form.querySelector(".of-new").hidden = cancel.hidden = false
    send.textContent = send.dataset.save
    field.value = label.dataset.name
    field.select()
  }

  function leave() {
    if (!("editing" in picker.dataset)) return
    picker.removeAttribute("data-editing")
    form.setAttribute("action", own.action)
    form.reset()
    send.textContent = own.words
    cancel.hidden = true
    field.dispatchEvent(new Event("input")) // pick-by-name.js shows all labels
  }
}

function addPencils(picker) {
  if (picker.querySelector("[data-pencil]")) return
  const focused = document.activeElement
  for (const item of picker.querySelectorAll(":scope > .item")) {
    const pair = document.createElement("div")
    const pencil = picker.querySelector("template").content.firstElementChild.cloneNode(true)
    pencil.setAttribute("aria-label", pencil.getAttribute("aria-label").replace("NAME", () => item.querySelector(".label").dataset.name))
    pair.className = "pair"
    item.before(pair)
    pair.append(item, pencil)
  }
  if (focused !== document.activeElement) focused.focus({ preventScroll: true }) // an item that moved into its pair
}
