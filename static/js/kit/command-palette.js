// The command palette: boards and cards from the server, and actions on the card that is meant, by a few letters.
import combobox from "./combobox.js";
import { rank } from "./letters.js";
import { isNothingIn, jumpOptions, takeOption } from "./jump-options.js";
import { mayTell, tell } from "./shortcuts.js";
import { isBeside } from "./beside.js";
import { isHalfTyped } from "./typed-keys.js";

export default function commandPalette(dialog) {
  const field = dialog.querySelector("input")
  const list = dialog.querySelector("[role=listbox]")
  const found = list.querySelector("[data-found]")
  const actions = list.querySelector("[data-actions]")
  const status = dialog.querySelector("[role=status]")
  const board = document.querySelector("main.board")
  const { look: lookUp, stop, pending } = jumpOptions(field, found, {
    changed: ({ isNew }) => count({ first: isNew }),
    failed: (words) => say(words ?? dialog.dataset.failed),
    isShown: () => dialog.open,
  })
  const options = combobox(field, list, take, pending)
  let card // the one that is meant

  addLinks()
  field.addEventListener("input", (event) => { if (!isHalfTyped(event)) look() })
  field.addEventListener("compositionend", () => look())
  dialog.addEventListener("click", (event) => { if (isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close() })
  dialog.addEventListener("close", () => {
    stop()
    found.replaceChildren() // the field of the head has options with the same ids
  })
  return { show: open }

  function open(meant) {
    card = meant
    look({ now: true })
  }

  function look(options) {
    filter()
    lookUp(options)
  }

  // Shows the actions that can be done now and match what is typed, the best match first.
  function filter() {
    const all = [...actions.querySelectorAll("[role=option]")]
    const ranks = new Map(all.map((option) => [option, isPossible(option) ? rank(field.value, option.querySelector(".name").textContent) : undefined]))
    for (const option of all) option.hidden = ranks.get(option) === undefined
    actions.append(...all.sort((one, other) => (ranks.get(one) ?? 9) - (ranks.get(other) ?? 9) || one.dataset.at - other.dataset.at))
    actions.hidden = all.every((option) => option.hidden)
    const isAction = field.value && Math.min(...[...ranks.values()].map((one) => one ?? 9)) <= 1
    list.prepend(...(isAction ? [actions, found] : [found, actions]))
    count()
  }

  function isPossible({ dataset: { tell: name } }) {
    return !name || (board ? mayTell(board, name, card) : false)
  }

  function count({ first = true } = {}) {
    const shown = options.refresh({ first })
    if (!field.value && !found.childElementCount) options.choose() // Enter alone changes no card
    say(shown > isNothingIn(found) ? "" : dialog.dataset.nothing)
  }

  function say(words) {
    status.textContent = words
  }

  function take(option, event) {
    dialog.close()
    return option.dataset.tell ? tell(board, option.dataset.tell, card) : takeOption(option, event)
  }

  // The pages of the board, from its menu.
  function addLinks() {
    for (const link of document.querySelectorAll(".boardbar .menu:not(.following) a.item:not([data-tell])")) {
      const option = actions.querySelector("[data-href]").cloneNode(true)
      option.querySelector(".name").textContent = link.textContent.trim()
      option.querySelector(".icon").replaceWith(link.querySelector(".icon").cloneNode(true))
      option.dataset.href = link.href
      actions.append(option)
    }
    actions.querySelectorAll("[role=option]").forEach((option, at) => Object.assign(option, { id: `do-${at}` }).dataset.at = at)
  }
}
