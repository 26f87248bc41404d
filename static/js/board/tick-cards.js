// Marks cards as done in a list of cards of several boards. They stay in it, and undo takes that back.
import { post } from "../kit/post.js";
import { wordsOf } from "../kit/refusals.js";
import { token } from "../kit/send-forms.js";
import { showError } from "../kit/toasts.js";
import { place } from "./place.js";

export default function tickCards(list) {
  const rows = new Map() // by what the server calls the change that undo takes back
  const known = new Map() // by row, while it is on its way: a promise of whether the server has its card as done
  let sending = Promise.resolve() // one after another, or a card that is ticked twice could end as after the first

  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event
    const address = submitter?.getAttribute("formaction")
    const toast = submitter?.closest(".toast"), isTick = submitter?.matches(".done-check") && list.contains(submitter)
    if (form.id !== "board-form" || !address || !(toast || isTick)) return
    event.preventDefault()
    const row = isTick ? submitter.closest("[data-card]").id : rows.get(submitter.value)
    const answered = toggle(row, address, { [submitter.name]: submitter.value })
    list.dispatchEvent(new CustomEvent("cards:sent", { detail: answered }))
    toast?.remove()
  })

  // Shows at once what the server should do, and what it has once the last tick of a row is refused. `id`, of a row, is absent where its state
  // stays. The row may be another element by the time of the answer.
  async function toggle(id, address, values) {
    const isDone = id && !document.getElementById(id)?.matches(".done")
    const was = known.get(id) ?? !isDone
    show(id, isDone)
    const answered = sending = sending.then(() => post(address, values, { "X-CSRFToken": token(), "X-Open-Card": "" }))
    const isKept = answered.then(({ isAccepted }) => isAccepted ? isDone : was)
    known.set(id, isKept)
    const answer = await answered, isLast = known.get(id) === isKept
    if (isLast) known.delete(id)
    if (!answer.isAccepted) {
      if (isLast) show(id, await isKept)
      if (values.change && answer.status && answer.status < 500) tell({ undone: values.change })
      return showError(wordsOf(answer.elements ?? [])?.words ?? list.dataset.failed)
    }
    if (id && answer.changes) rows.set(answer.changes, id)
    for (const toast of answer.elements?.filter((one) => one.matches(".toast")) ?? []) place(toast)
    tell({ changes: answer.changes, undone: values.change })
    return undefined
  }

  function tell(detail) {
    list.dispatchEvent(new CustomEvent("cards:changed", { detail }))
  }

  function show(id, isDone) {
    const row = id && document.getElementById(id)
    if (row) showTicked(row, isDone, list.dataset)
  }
}

// Shows whether the card of a row is done. A row that became so here is marked data-ticked.
export function showTicked(row, isDone, { done, reopen }) {
  const button = row.querySelector(".done-check")
  row.classList.toggle("done", isDone)
  row.toggleAttribute("data-ticked", isDone)
  button.value = Number(!isDone)
  button.title = isDone ? reopen : done
  button.setAttribute("aria-label", button.title)
}
