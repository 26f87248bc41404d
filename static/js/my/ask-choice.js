// Asks for the label or the person to put on a card of some board, or to take off it, in a dialog.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { showError } from "../kit/toasts.js";

let asked = new AbortController() // for the newest one

// `kind` is "labels" or "people".
export async function askChoice(kind, row, send, failed) {
  const dialog = document.getElementById(`${kind}-dialog`)
  const list = dialog.querySelector(".items")
  asked.abort()
  const { signal } = asked = new AbortController()
  try {
    const menus = await fetchFragments(`/board/${row.dataset.board}/cards`, signal)
    if (signal.aborted || document.querySelector("dialog:modal, [data-editing]")) return undefined // something else is asked
    list.replaceChildren(...menus.find((menu) => menu.dataset.menu === kind).querySelector(".items").children)
  } catch (error) {
    return signal.aborted ? undefined : showError(error.words ?? failed)
  }
  dialog.onclick = ({ target }) => {
    const wanted = target.closest("[data-change]")
    if (wanted) send(Object.fromEntries(new URLSearchParams(wanted.dataset.change)))
    if (wanted || target === dialog || target.closest("[data-close]")) dialog.close()
  }
  dialog.showModal()
  return list.querySelector("button")?.focus()
}
