// Items of an open card's checklists are moved by dragging, by Alt+arrows, and by the arrows in their forms.
import { hearPresses } from "../drag/presses.js";
import { isTyping } from "../kit/typed-keys.js";
import { idIn, stepItem } from "./place-item.js";

const WAYS = { ArrowUp: "up", ArrowDown: "down" }

export default function orderItems(checklists) {
  hearPresses(checklists, (pressed) => pressed.closest(".item"), () => import("../drag/drag-items.js"))
  checklists.addEventListener("keydown", (event) => {
    const item = event.target.closest(".item")
    const isAsked = event.altKey && !event.ctrlKey && !event.metaKey && !event.shiftKey
    if (!item || !isAsked || !WAYS[event.key] || isTyping(event)) return
    event.preventDefault()
    stepItem(item, WAYS[event.key])
  })
  checklists.addEventListener("click", ({ target }) => {
    const { way } = target.closest("[data-way]")?.dataset ?? {}
    if (way) stepItem(target.closest(".item"), way)
  })
  checklists.addEventListener("toggle", ({ target }) => { if (target.matches(".item > .edit[open]")) addActions(target) }, true)
}

// Adds to an item's form, before the button that deletes it, what else can be done with it: once, not in the markup of each item.
function addActions(details) {
  if (details.querySelector("[data-way]")) return
  const actions = document.getElementById("item-actions").content.cloneNode(true)
  const sending = actions.querySelector("[formaction]")
  sending.setAttribute("formaction", sending.getAttribute("formaction").replace("ITEM", idIn(details.closest(".item").dataset.part)))
  details.querySelector(".danger").before(actions)
}
