// Asks in a dialog which labels or people the card of a row has; those that it has are ticked. Each is sent as it is chosen.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { showError } from "../kit/toasts.js";
import { linkOf } from "./rows.js";

const STEPS = { ArrowDown: 1, ArrowUp: -1 }
const known = new WeakMap() // by item: a promise of whether the server has it
let asked = new AbortController() // for the newest one

// `kind` is "labels" or "people". `ready` returns a promise that all changes so far are answered. `send` gets the fields of a form,
// and returns whether the server accepted them.
export async function askChoice(kind, row, { ready, send }, failed) {
  const dialog = document.getElementById(`${kind}-dialog`)
  const list = dialog.querySelector(".items"), { board, card } = row.dataset
  asked.abort()
  const { signal } = asked = new AbortController()
  document.body.toggleAttribute("data-asking", true) // letters that are typed meanwhile are no keys (my-keys.js)
  try {
    await ready() // the server tells what the card has then
    const menus = await fetchFragments(`/board/${board}/cards?card=${card}`, signal)
    if (signal.aborted || document.querySelector("dialog:modal, [data-editing]")) return undefined // something else is asked
    list.replaceChildren(...menus.find((menu) => menu.dataset.menu === kind).children)
  } catch (error) {
    return signal.aborted ? undefined : showError(error.words ?? failed)
  } finally {
    if (!signal.aborted) document.body.removeAttribute("data-asking")
  }
  dialog.querySelector(".of-card").textContent = linkOf(row).textContent
  dialog.onclick = ({ target }) => {
    const item = target.closest("[role=checkbox]")
    if (item) toggle(item, send)
    else if (target === dialog || target.closest("[data-close]")) dialog.close()
  }
  dialog.onkeydown = (event) => {
    const all = [...list.children], next = all[all.indexOf(document.activeElement) + STEPS[event.key]]
    if (!next) return
    event.preventDefault()
    next.focus()
  }
  dialog.showModal()
  return list.querySelector("button")?.focus()
}

// Shows the choice at once, and what the server has once the last one for an item is refused.
async function toggle(item, send) {
  const isOn = item.ariaChecked !== "true", was = known.get(item) ?? !isOn
  item.ariaChecked = isOn
  const isKept = send({ [item.name]: item.value, on: Number(isOn) }).then((isAccepted) => isAccepted ? isOn : was)
  known.set(item, isKept)
  const isThere = await isKept
  if (known.get(item) === isKept) item.ariaChecked = isThere
}
