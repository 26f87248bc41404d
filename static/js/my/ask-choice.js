// Asks for the label or the person to put on a card of some board, or to take off it, in a dialog.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { showError } from "../kit/toasts.js";

// `kind` is "labels" or "people".
export async function askChoice(kind, row, send, failed) {
  const dialog = document.getElementById(`${kind}-dialog`)
  const list = dialog.querySelector(".items")
  try {
    const menus = await fetchFragments(`/board/${row.dataset.board}/cards`, new AbortController().signal)
    list.replaceChildren(...menus.find((menu) => menu.dataset.menu === kind).querySelector(".items").children)
  } catch (error) {
    return showError(error.words ?? failed)
  }
  dialog.onclick = ({ target }) => {
    const wanted = target.closest("[data-change]")
    if (wanted) send(Object.fromEntries(new URLSearchParams(wanted.dataset.change)))
    if (wanted || target === dialog || target.closest("[data-close]")) dialog.close()
  }
  dialog.showModal()
  return list.querySelector("button")?.focus()
}
