// Keeps what is typed into a form of the open card, or of the inbox, until it is saved or discarded, and offers it when the form comes again.
import { hasUnsavedText } from "../kit/busy.js";
import { clock, day, joint } from "../kit/times.js";
import { fingerprint, forgetDraft, forgetOldDrafts, keepDraft, readDraft } from "./drafts.js";

const PAUSE = 400
const waiting = new Set() // what has to be kept at once when the page goes away
const otherTabs = new BroadcastChannel("drafts") // tells them the name of a draft that was forgotten

otherTabs.addEventListener("message", ({ data }) => tellForms(data))

for (const [page, leaving] of [[window, "pagehide"], [document, "visibilitychange"]]) {
  page.addEventListener(leaving, () => { for (const keep of waiting) keep() })
}

export default function keepDraftOf(form) {
  const card = form.closest("#open-card, #inbox-pane")
  if (!card || !form.isConnected) return // the card may have been closed before this module came
  const main = form.closest("main")
  const details = form.closest("details.edit")
  const written = form.querySelector("textarea:not([name=document])")
  const name = `${main.dataset.user} ${card.dataset.card} ${form.dataset.draft}`
  const base = fingerprint(written.defaultValue)
  let offered // an older draft, until somebody has said what to do with it
  let notice
  let timer

  forgetOldDrafts()
  if (!form.closest("[data-force]")) offer(readDraft(name))
  form.addEventListener("input", () => {
    clearTimeout(timer)
    timer = setTimeout(keep, PAUSE)
    waiting.add(keep)
  })
  form.addEventListener("form:saved", forget)
  form.addEventListener("draft:forgotten", ({ detail }) => { if (detail === name) letGo() })
  form.addEventListener("form:discarded", settle)
  details?.addEventListener("toggle", () => { if (!details.open && !isSent()) settle() })
  form.querySelector("[data-reload-card]")?.addEventListener("click", forget)

  function keep() {
    stop()
    if (!isSent() && !hasUnsavedText(form)) return settle()
    const fields = Object.fromEntries([...form.querySelectorAll("textarea[name]:enabled")].map((field) => [field.name, field.value]))
    return keepDraft(name, { at: Date.now(), base, fields })
  }

  // What is on its way is kept until the answer, which may be a refusal.
  function isSent() {
    return form.matches("[data-sent]")
  }

  function stop() {
    clearTimeout(timer)
    waiting.delete(keep)
  }

  function settle() {
    stop()
    if (offered) keepDraft(name, offered)
    else if (readDraft(name)) forgetEverywhere()
  }

  function forgetEverywhere() {
    forgetDraft(name)
    otherTabs.postMessage(name)
    tellForms(name, form)
  }

  function forget() {
    withdraw()
    settle()
  }

  // Another form has forgotten the draft that both know: it is not to be offered, nor kept again. What is typed here stays kept.
  function letGo() {
    withdraw()
    if (hasUnsavedText(form)) keep()
  }

  function withdraw() {
    offered = undefined
    notice?.remove()
  }

  function offer(draft) {
    if (!draft) return
    offered = draft
    notice = document.getElementById("draft").content.firstElementChild.cloneNode(true)
    const words = notice.querySelector("[data-words]")
    words.textContent = words.textContent.replace("TIME", timeOf(draft.at))
    notice.querySelector("[data-changed]").hidden = draft.base === base
    notice.querySelector("[data-restore]").addEventListener("click", restore)
    notice.querySelector("[data-discard]").addEventListener("click", () => {
      forget();
      (details?.querySelector("summary") ?? written).focus()
    })
    const beside = details ?? form
    beside.before(notice)
  }

  function restore() {
    for (const [field, value] of Object.entries(offered.fields)) form.querySelector(`textarea[name="${CSS.escape(field)}"]`).value = value
    offered = undefined
    notice.remove()
    if (details) details.open = true
    form.dispatchEvent(new Event("editor:restore", { bubbles: true }))
    written.focus()
    keep()
  }
}

// The same form may be on the page twice: live updates replace one that is being sent before the answer comes.
function tellForms(name, but) {
  for (const form of document.querySelectorAll("form[data-draft]")) {
    if (form !== but) form.dispatchEvent(new CustomEvent("draft:forgotten", { detail: name }))
  }
}

function timeOf(at) {
  const moment = new Date(at)
  const isToday = moment.toDateString() === new Date().toDateString()
  return isToday ? clock(moment) : day(moment.toISOString()) + joint + clock(moment)
}
