// Keeps what is typed into the form for a new card until it is added or the form is closed, and opens the form with it again
// when the page is loaded again.
import { forgetDraft, keepDraft, readDraft } from "../editor/drafts.js";

const field = (details) => details.querySelector("textarea")
const nameOf = (details) => `${document.querySelector("main.board").dataset.user} new ${details.closest(".list").id}`

export function keepText(details) {
  const text = field(details).value
  const isKept = text.trim() && keepDraft(nameOf(details), { at: Date.now(), text })
  details.toggleAttribute("data-kept", Boolean(isKept)) // then nobody who leaves the page has to be asked (open-card.js)
  if (!isKept) forgetText(details)
}

export function forgetText(details) {
  forgetDraft(nameOf(details))
}

export function restoreTexts(board) {
  for (const details of board.querySelectorAll(".list[id] .newcard:not([open])")) {
    const draft = readDraft(nameOf(details))
    if (!draft || field(details).value) continue
    Object.assign(details, { open: true }).toggleAttribute("data-kept", true)
    field(details).value = draft.text
  }
}
