// Keeps what is typed into the form for a new card until it is added or the form is closed, and opens the form with it again
// when the page is loaded again.
import { forgetDraft, keepDraft, readDraft } from "../editor/drafts.js";

const field = (details) => details.querySelector("textarea")
const nameOf = (details) => `${document.querySelector("main.board").dataset.user} new ${details.closest(".list").id}`

export function keepText(details) {
  if (field(details).value.trim()) keepDraft(nameOf(details), { at: Date.now(), text: field(details).value })
  else forgetText(details)
}

export function forgetText(details) {
  forgetDraft(nameOf(details))
}

export function restoreTexts(board) {
  for (const details of board.querySelectorAll(".list[id] .newcard:not([open])")) {
    const draft = readDraft(nameOf(details))
    if (!draft || field(details).value) continue
    details.open = true
    field(details).value = draft.text
  }
}
