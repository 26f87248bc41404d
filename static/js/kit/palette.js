// Opens the command palette by its button or by Ctrl+K (Command+K), on every page. What it does is loaded when first needed,
// but it is open at once: letters that follow the key are typed into it, and are no keys of the board. / goes to the field of
// the search instead, where the head has room for it; Escape in the empty field goes back to where one was.
import { cardMeant } from "../board/card-meant.js";
import { isTyping, keyOf } from "./typed-keys.js";

const COVERS = "dialog:modal, [popover]:popover-open, details.menu[open]"

export default function palette(dialog) {
  let loaded
  let former // the element that had the focus before the key led to the field

  document.addEventListener("keydown", (event) => {
    const isAsked = event.key.toLowerCase() === "k" && event.ctrlKey !== event.metaKey && !event.altKey && !event.shiftKey
    if (!isAsked || event.defaultPrevented || event.isComposing) return
    event.preventDefault()
    if (dialog.open) dialog.close()
    else open()
  })
  document.addEventListener("keydown", (event) => {
    if (keyOf(event) !== "/" || event.defaultPrevented || isTyping(event) || document.querySelector(COVERS)) return
    event.preventDefault()
    const field = document.querySelector("#search-field, .topbar > .jump > input")
    if (!field?.checkVisibility()) return open()
    former = document.activeElement
    field.focus()
    field.select()
  })
  document.addEventListener("keydown", (event) => {
    const { key, target: field } = event
    if (key !== "Escape" || event.isComposing || !field.matches(".topbar > .jump > input") || field.value) return
    event.preventDefault()
    field.blur()
    former?.focus()
    former = undefined
  })
  document.addEventListener("click", ({ target }) => { if (target.closest("[data-palette]")) open() })
  document.addEventListener("board:search", open)
  document.addEventListener("board:palette", open)

  async function open() {
    if (dialog.open) return
    const card = cardMeant() // before the palette takes the focus
    dialog.querySelector("input").value = ""
    dialog.showModal()
    loaded ??= import("./command-palette.js").then((module) => module.default(dialog))
    try {
      const { show } = await loaded
      if (dialog.open) show(card)
    } catch (error) {
      loaded = undefined
      dialog.close()
      throw error // new-version.js says what happened
    }
  }
}
