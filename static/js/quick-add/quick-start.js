// Opens the form for a new card above the cards of a list, and loads quick add (quick-add.js) when a form for a new card gets
// the focus. What is entered before that has come is added then.
import { showError } from "../kit/toasts.js";

const FORM = ".list[id] .newcard"

export default function quickStart(board) {
  const waiting = [] // what was entered meanwhile: [form, button, text]
  let loading
  let hasCome = false // or cannot be loaded: then forms are sent as they are

  board.addEventListener("focusin", ({ target }) => { if (target.closest(FORM)) loading ??= load() })
  board.addEventListener("toggle", ({ target }) => { if (target.matches(FORM) && !target.open) left(target) }, true)
  board.addEventListener("click", ({ target }) => { if (target.closest("[data-add-top]")) openAtTop(target.closest(".list")) })
  document.addEventListener("submit", hold, true)
  if (hasDrafts(board.dataset.user)) import("./quick-drafts.js").then(({ restoreTexts }) => restoreTexts(board)).catch(reportError)

  async function load() {
    try {
      const module = await import("./quick-add.js")
      const { addEntered, begin } = await module.default(board)
      hasCome = true
      for (const entered of waiting) addEntered(...entered)
      for (const form of board.querySelectorAll(`${FORM}[open]`)) begin(form)
    } catch (error) {
      hasCome = true
      reportError(error)
      for (const [form, , text] of waiting.reverse()) field(form).value = [text, field(form).value].filter(Boolean).join("\n")
      if (waiting.length) showError(board.dataset.failed)
    }
  }

  function hold(event) {
    const form = !hasCome && event.submitter?.closest(FORM)
    if (!form) return
    event.preventDefault()
    event.stopPropagation() // send-forms.js would send the text as it is
    loading ??= load()
    const text = field(form).value
    if (/\n\s*\S/.test(text.trim())) return // quick add asks what several lines are
    waiting.push([form, event.submitter, text])
    field(form).value = ""
  }
}

// Whether texts were kept that were not added before the page was loaded again (quick-drafts.js).
function hasDrafts(user) {
  try {
    return Object.keys(localStorage).some((name) => name.startsWith(`draft ${user} new `))
  } catch {
    return false
  }
}

const field = (form) => form.querySelector("textarea")

// The form of a list is at its foot, or above its cards while some are added there.
function openAtTop(list) {
  const form = list.querySelector(".newcard")
  list.querySelector(".menu").open = false
  list.querySelector("ol").before(form)
  list.querySelector("ol").scrollTop = 0
  Object.assign(form, { open: true }).dataset.where = "top"
  field(form).focus()
}

// Whoever closes a form does not want its text again. It may have come back without quick-add.js.
async function left(form) {
  if (form.dataset.where) form.closest(".list").querySelector("footer").prepend(form)
  delete form.dataset.where
  const { forgetText } = await import("./quick-drafts.js")
  forgetText(form)
}
