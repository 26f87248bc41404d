// The command palette: boards and cards from the server, and actions on the card that is meant, by a few letters.
import combobox from "./combobox.js";
import { rank } from "./letters.js";
import { lookUp } from "./look-up.js";
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
  const here = document.querySelector("main[data-board]")?.dataset.board ?? "" // a table has a board, too
  const { ask, stop, pending } = lookUp("/jump", show, ({ words }) => say(words ?? dialog.dataset.failed))
  const again = lookUp("/jump", takeLost, () => {})
  const options = combobox(field, list, take, pending)
  let card // the one that is meant

  addLinks()
  field.addEventListener("input", (event) => { if (!isHalfTyped(event)) look() })
  field.addEventListener("compositionend", () => look())
  dialog.addEventListener("click", (event) => { if (isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close() })
  dialog.addEventListener("close", () => {
    stop()
    again.stop()
  })
  document.addEventListener("bell:unread", async () => {
    await pending()
    if (dialog.open) again.ask(asked(), { now: true })
  })
  return { show: open }

  function open(meant) {
    card = meant
    found.replaceChildren()
    look({ now: true })
  }

  function look(options) {
    filter()
    again.stop()
    ask(asked(), options)
  }

  function asked() {
    return { q: field.value, board: here }
  }

  function show(elements) {
    found.replaceChildren(...elements)
    count()
  }

  // Options go that are no longer found, as of a board that the reader has lost; the others stay where they are.
  function takeLost(elements) {
    const left = new Set(elements.flatMap((group) => [group, ...group.querySelectorAll("[role=option]")]).map(({ id }) => id))
    for (const option of found.querySelectorAll("[role=option]")) if (!left.has(option.id)) option.remove()
    for (const group of found.querySelectorAll("[role=group]")) if (!group.querySelector("[role=option]")) group.remove()
    count({ first: false })
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
    say(shown ? "" : dialog.dataset.nothing)
  }

  function say(words) {
    status.textContent = words
  }

  function take({ dataset }, event) {
    dialog.close()
    if (dataset.tell) return tell(board, dataset.tell, card)
    if ("filter" in dataset && board && !event.ctrlKey && !event.metaKey) {
      return board.dispatchEvent(new CustomEvent("board:apply-filter", { detail: { query: dataset.filter, note: dataset.note } }))
    }
    if (dataset.card && dataset.board === board?.dataset.board && !event.ctrlKey && !event.metaKey) {
      return board.dispatchEvent(new CustomEvent("board:open", { detail: { card: dataset.card } }))
    }
    return event.ctrlKey || event.metaKey ? window.open(dataset.href) : location.assign(dataset.href)
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
