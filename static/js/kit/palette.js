// Opens the command palette by its button or by Ctrl+K (Command+K), on every page. What it does is loaded when first needed,
// but it is open at once: letters that follow the key are typed into it, and are no keys of the board. / goes to the field of
// the search instead, where the head has room for it.
import { cardMeant } from "../board/card-meant.js";
import { isTyping, keyOf } from "./typed-keys.js";

const COVERS = "dialog:modal, [popover]:popover-open, details.menu[open]"

export default function palette(dialog) {
  let loaded

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
    field.focus()
    field.select()
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
