// Opens the form for a new card above the cards of a list, and loads quick add (quick-add.js) when a form for a new card gets
// the focus. If it does not come, the next letter and each Enter ask again. What is entered before it has come is added then.
import { showError } from "../kit/toasts.js";

const FORM = ".list[id] .newcard"

export default function quickStart(board) {
  const waiting = [] // what was entered meanwhile: [form, button, text]
  const known = new WeakSet(board.querySelectorAll(".list[id]"))
  let loading
  let quick // once it has come
  let isPassing = false // a form that is sent without quick add

  for (const type of ["focusin", "input"]) board.addEventListener(type, ({ target }) => { if (target.closest(FORM)) loading ??= load() })
  board.addEventListener("toggle", ({ target }) => { if (target.matches(FORM) && !target.open) left(target) }, true)
  board.addEventListener("click", ({ target }) => { if (target.closest("[data-add-top]")) openAtTop(target.closest(".list")) })
  document.addEventListener("submit", hold, true)
  document.addEventListener("fragment:placed", ({ target }) => {
    if (target.matches(".list[id]") && !known.has(target)) restore(target).catch(reportError)
  })
  board.addEventListener("list:leaves", ({ target }) => keep(target).catch(reportError))
  restore(board).catch(reportError)

  // A list that was archived comes back with what was being typed in it.
  async function restore(root) {
    known.add(root)
    if (!hasDrafts(board.dataset.user)) return
    const { restoreTexts } = await import("./quick-drafts.js")
    restoreTexts(root)
    for (const form of root.querySelectorAll(`${FORM}[open]`)) quick?.begin(form)
  }

  // Somebody else archived the list while something was being typed in it.
  async function keep(list) {
    const form = list.querySelector(".newcard"), text = form && field(form).value.trim()
    if (!text) return
    const { archived, copyText } = document.getElementById("quick-add").dataset
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: copyText, hidden: !navigator.clipboard })
    button.addEventListener("click", () => navigator.clipboard.writeText(text))
    showError(archived.replace("{list}", list.querySelector("h2").textContent), button)
    const { keepText } = await import("./quick-drafts.js")
    keepText(form) // it may have been typed before quick add came
  }

  async function load() {
    try {
      quick = await (await import("./quick-add.js")).default(board)
    } catch (error) {
      loading = undefined
      reportError(error)
      for (const entered of waiting.splice(0)) sendAsTyped(...entered)
      return
    }
    for (const entered of waiting) quick.addEntered(...entered)
    for (const form of board.querySelectorAll(`${FORM}[open]`)) quick.begin(form)
  }

  function hold(event) {
    const form = !quick && !isPassing && event.submitter?.closest(FORM)
    if (!form) return
    event.preventDefault()
    event.stopPropagation() // send-forms.js would send the text as it is
    loading ??= load()
    const text = field(form).value
    if (/\n\s*\S/.test(text.trim())) return // quick add asks what several lines are
    waiting.push([form, event.submitter, text])
    field(form).value = ""
  }

  function sendAsTyped(form, button, text) {
    const next = field(form).value
    field(form).value = text
    isPassing = true
    button.form.requestSubmit(button) // send-forms.js takes the text
    isPassing = false
    field(form).value = next
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
