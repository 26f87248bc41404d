// Searches while somebody types, and when what narrows the search changes. Enter goes to the first result; arrows go from
// result to result (search-keys.js).
import { lookUp } from "../kit/look-up.js";
import { formatTimes } from "../kit/times.js";
import { isHalfTyped } from "../kit/typed-keys.js";
import narrow from "./narrow.js";
import searchKeys, { results } from "./search-keys.js";
import searchLive from "./search-live.js";

export default function search(main) {
  const form = main.querySelector(".search-form"), field = form.elements.q, status = form.querySelector("[role=status]")
  const { ask, stop } = lookUp(form.action, show, fail)
  let isEntered = false // Enter was pressed, and what it asks for has not come yet
  let isStep = false // of the browser's history, as is each change but those of letters
  let shown = location.search

  const begin = searchLive(main, { changed: () => { if (!main.ariaBusy) say("") }, outdated: () => look({ now: true }) })
  const { clear } = narrow(form.querySelector(".narrowing"))
  searchKeys(field)
  beginAt(document.getElementById(history.state?.opened)?.querySelector(".title") ?? results()[0] ?? field)
  field.addEventListener("input", (event) => { if (!isHalfTyped(event)) look() })
  field.addEventListener("compositionend", () => look())
  form.addEventListener("change", ({ target }) => { if (target.name && target !== field) narrowed() })
  main.addEventListener("click", (event) => {
    if (!event.target.closest(".clear-filter") || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    clear()
    narrowed()
  })
  main.addEventListener("click", ({ target }) => { // whoever comes back goes on at this result
    const opened = target.closest(".hit > .title")?.parentElement.id
    if (opened) history.replaceState({ opened }, "")
  })
  addEventListener("popstate", () => { if (location.search !== shown) location.replace(location.href) })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    look({ now: true })
    isEntered = true
  })
  addEventListener("pagehide", stop)
  if (field.value !== field.defaultValue) look() // typed before this script had come

  function look(when) {
    isEntered = false
    main.setAttribute("aria-busy", "true")
    ask(asked(), when)
  }

  function narrowed() {
    isStep = true
    look({ now: true })
  }

  // What is asked for, without what is empty.
  function asked() {
    return [...new FormData(form)].filter(([, value]) => value.trim())
  }

  function show([fresh]) {
    formatTimes(fresh)
    replaceResults(fresh)
    const query = new URLSearchParams(asked()).toString()
    history[isStep ? "pushState" : "replaceState"](null, "", query ? `?${query}` : form.action)
    isStep = false
    shown = location.search
    document.title = [field.value.trim(), main.dataset.title, "Taskboard"].filter(Boolean).join(" · ")
    say(fresh.dataset.said)
    if (isEntered) results()[0]?.focus()
    isEntered = false
    begin()
  }

  // Whoever went to a result stays at it, or is at the first one.
  function replaceResults(fresh) {
    const former = document.getElementById("search-results"), link = former.contains(document.activeElement) && document.activeElement
    former.replaceWith(fresh)
    if (link) (results().find(({ href }) => href === link.href) ?? results()[0] ?? field).focus()
  }

  function fail({ words }) {
    say(words ?? main.dataset.failed, { isBad: true })
  }

  // The status is read out by screen readers, and shown beside what was typed.
  function say(words, { isBad = false } = {}) {
    main.removeAttribute("aria-busy")
    status.textContent = words
    status.classList.toggle("bad", isBad)
  }

  // The best match has the focus from the beginning, so that Enter opens it. Somebody may have gone elsewhere meanwhile.
  function beginAt(element) {
    if (document.activeElement === document.body) element.focus({ preventScroll: true })
  }
}
