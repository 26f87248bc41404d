// Asks for the label to put on a card of some board, or to take off it, in a dialog.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { showError } from "../kit/toasts.js";

export async function askLabel(row, send, failed) {
  const dialog = document.getElementById("labels-dialog")
  const list = dialog.querySelector("[data-labels]")
  try {
    const menus = await fetchFragments(`/board/${row.dataset.board}/cards`, new AbortController().signal)
    const labels = menus.find((menu) => menu.dataset.menu === "labels")
    list.replaceChildren(...labels.querySelector(".items").children)
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
