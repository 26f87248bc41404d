// Sends the forms of the saved filters of *My work* or of a table's board, and the buttons of messages about them, without
// leaving the page.
import { place } from "../board/place.js";
import { merge } from "./busy.js";
import { openClicked } from "./open-form.js";
import { post } from "./post.js";
import { showRefusal, wordsOf } from "./refusals.js";
import { token } from "./send-forms.js";

const ADDRESS = /^\/(my|board\/[^/]+)\/filters\b/

export default function filtersMenu(menu) {
  const main = menu.closest("main"), { failed } = main.dataset
  const section = () => menu.querySelector(".saved-filters")
  let sent = Promise.resolve() // one after another, so that the last answer is the newest

  main.addEventListener("board:filter", () => {
    if (!menu.open) forget() // `toggle` comes later, and once for two quick keys
    menu.open = true
    menu.querySelector(".filter-form input:not([type=hidden])").focus()
  })
  main.addEventListener("board:clear-filter", () => { if ("filter" in main.dataset) menu.querySelector(".filter-form a.button").click() })
  menu.addEventListener("toggle", () => { if (!menu.open) forget() })
  menu.addEventListener("click", (event) => openClicked(event, ".save-filter"))
  document.addEventListener("submit", (event) => {
    const { target: form, submitter } = event
    const address = submitter?.getAttribute("formaction") ?? form.getAttribute("action") ?? ""
    if (!ADDRESS.test(address)) return
    event.preventDefault()
    event.stopPropagation() // tick-cards.js sends what other messages ask for
    const toast = submitter?.closest(".toast")
    if (!form.matches("[data-sent]")) {
      const values = valuesOf(form, submitter, toast), held = toast ? undefined : form
      hold(held, true)
      sent = sent.then(() => send(address, values, held)).catch(reportError)
    }
    toast?.remove()
  }, { capture: true })

  // What was chosen and not applied, as pickers do that are closed (edit-in-place.js).
  function forget() {
    for (const form of menu.querySelectorAll("form:not([data-sent])")) form.reset()
  }

  async function send(address, values, form) {
    const query = section().querySelector("[name=query]").value // which the page shows
    const { isAccepted, elements = [] } = await post(address, { query, ...values }, { "X-CSRFToken": token() })
    if (isAccepted) return elements.forEach(put)
    hold(form, false)
    return showRefusal(form?.querySelector("input:not([type=hidden])"), wordsOf(elements)?.words ?? failed)
  }

  function put(element) {
    if (element.matches(".toast")) place(element)
    else merge(section(), element)
  }
}

function valuesOf(form, submitter, toast) {
  return toast ? { [submitter.name]: submitter.value } : Object.fromEntries(new FormData(form, submitter))
}

// What is being sent is no text that `merge` would keep.
function hold(form, isHeld) {
  form?.toggleAttribute("data-sent", isHeld)
  for (const sentence of form?.querySelectorAll(".refusal") ?? []) sentence.remove()
}
