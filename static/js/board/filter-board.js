// Filters the cards of a board. The filter is in the address; the server evaluates it (boards/reading/filters.py).
import { fetchFragments } from "../kit/fetch-fragments.js";
import { placeBar } from "./filter-bar.js";
import { readCurrent } from "./more-cards.js";
import { placeEverything } from "./place-everything.js";
import { keepingFocus } from "../kit/post.js";
import { showError } from "../kit/toasts.js";
import { isHalfTyped, isTyping as isInField } from "../kit/typed-keys.js";
import { type } from "../later.js";

const NAMES = ["q", "label", "who", "due", "done", "changed"]
const TYPING = 250
const FORM = ".filter-form" // in the panel, beside those that save, rename and delete

export default function filterBoard(board) {
  const button = board.querySelector("[data-filter-button]")
  const panel = document.getElementById("filter-panel")
  const address = `/board/${board.dataset.board}`
  let timer
  let asking = new AbortController()
  let wanted = board.dataset.filter ?? "" // what was asked for last; what is shown once that has failed
  let reading = new AbortController() // the panel
  let isTyping = false
  let loading // the saved filters: when the panel is opened first, or one is asked for

  button.addEventListener("click", (event) => {
    event.preventDefault()
    panel.hidden ? open() : close()
  })
  board.addEventListener("board:filter", open)
  board.addEventListener("board:apply-filter", async ({ detail: { query, note } }) => { (await saved())?.apply(query, note) })
  board.addEventListener("board:clear-filter", clear)
  board.addEventListener("click", (event) => {
    const link = event.target.closest("[data-clear-filter]")
    if (!link) return
    event.preventDefault()
    const isInPanel = panel.contains(link)
    clear()
    const stays = isInPanel ? panel.querySelector("[data-clear-filter]") : button
    stays?.focus({ preventScroll: true }) // what was pressed is hidden or replaced
  })
  board.addEventListener("click", (event) => {
    const chip = event.target.closest("[data-rest]")
    if (!chip || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    change(chip.search.slice(1))
    renew()
  })
  for (const name of ["input", "compositionend"]) panel.addEventListener(name, heed)
  panel.addEventListener("submit", (event) => {
    if (!event.target.matches(FORM)) return
    event.preventDefault()
    event.stopPropagation() // it is never sent
  })
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || event.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    close()
  })
  addEventListener("popstate", () => {
    isTyping = false
    if (queryOf(location.search) === wanted) return
    show(queryOf(location.search))
    renew()
  })

  function heed(event) {
    const { target } = event
    if (!target.closest(FORM)) return
    reading.abort() // it would take away what is chosen here
    clearTimeout(timer)
    if (isHalfTyped(event)) return
    timer = setTimeout(() => choose(target.matches("[type=search]")), target.matches("[type=search]") ? TYPING : 0)
  }

  async function open() {
    panel.hidden = false
    button.setAttribute("aria-expanded", "true")
    const letters = await lettersDuring(fill()), field = panel.querySelector("[type=search]")
    field?.focus()
    for (const letter of letters) type(letter, field)
  }

  // What is typed before the form has come is meant for its field, and no key of the board. `coming` ends with whether it came.
  async function lettersDuring(coming) {
    const letters = [], come = new AbortController()
    addEventListener("keydown", (event) => {
      if (isInField(event) || event.ctrlKey || event.metaKey || event.altKey || [...event.key].length > 1) return
      event.preventDefault()
      event.stopImmediatePropagation()
      letters.push(event.key)
    }, { capture: true, signal: come.signal })
    const hasCome = await coming
    come.abort()
    return hasCome ? letters : []
  }

  function close() {
    reading.abort()
    panel.hidden = true
    button.setAttribute("aria-expanded", "false")
    button.focus()
  }

  const fill = () => read((elements) => panel.replaceChildren(...elements))

  // Of the open panel only the form is read anew, so that the focus stays where it is.
  function renew() {
    const form = panel.querySelector(FORM)
    if (panel.hidden) return undefined
    if (!form) return fill()
    return read((elements) => keepingFocus(() => form.replaceWith(elements.find((element) => element.matches(FORM)))))
  }

  // Reads the panel as the filter is now, and gives it to `put` when its script has come too: it acts as soon as one sees it. An
  // older answer never replaces a newer one. Returns whether it came.
  async function read(put) {
    reading.abort()
    const { signal } = reading = new AbortController()
    try {
      const [elements, views] = await Promise.all([fetchFragments(`${address}/filter?${wanted}`, signal), saved()])
      if (signal.aborted) return false
      put(elements)
      views?.mark()
      return true
    } catch (error) {
      if (!signal.aborted) fail(error)
      return false
    }
  }

  function saved() {
    loading ??= import("./saved-filters.js").then(({ savedFilters }) => savedFilters(panel, { applied: () => wanted, change, renew }))
    return loading.catch((error) => {
      loading = undefined
      fail(error)
    })
  }

  function clear() {
    if (wanted || queryOf(location.search)) change("")
    if (!panel.hidden) panel.querySelector(FORM)?.replaceWith(...emptied(panel.querySelector(FORM)))
  }

  // Letters that are typed one after another are one step of the browser's history.
  function choose(types) {
    change(queryOf(new FormData(panel.querySelector(FORM))), types && isTyping)
    isTyping = types
  }

  // Over an open card, too, the step is the filter's own: whoever closes the card is not taken back behind it (open-card.js).
  function change(query, replaces = false) {
    isTyping = false
    const card = new URLSearchParams(location.search).get("card")
    const whole = [query, card && `card=${card}`].filter(Boolean).join("&")
    history[replaces ? "replaceState" : "pushState"]({}, "", whole ? `${address}?${whole}` : address)
    show(query)
  }

  async function show(query) {
    wanted = query
    clearTimeout(timer) // what was typed before
    asking.abort()
    const { signal } = asking = new AbortController()
    try {
      const [, ...elements] = await readCurrent(board, `${address}/lists?${query}`, signal)
      if (query) board.dataset.filter = query
      else delete board.dataset.filter
      button.querySelector("[data-kinds]").textContent = new Set(new URLSearchParams(query).keys()).size
      button.href = `${address}/filter?${query}`
      board.querySelector("[data-to-table]").href = `${address}/table?${query}`
      if (loading) saved().then((one) => one?.mark())
      placeBar(elements.find(({ id }) => id === "filter-bar"), button)
      await placeEverything(elements, { signal })
    } catch (error) {
      if (signal.aborted) return
      wanted = board.dataset.filter ?? ""
      fail(error)
    }
  }

  function fail(error) {
    if (!error.isExpected) reportError(error)
    showError(error.words?.words ?? error.words ?? board.dataset.failed)
  }
}

function queryOf(source) {
  const pairs = [...new URLSearchParams(source)].filter(([name, value]) => NAMES.includes(name) && value)
  return new URLSearchParams(pairs).toString()
}

function emptied(form) {
  for (const field of form.querySelectorAll("input")) {
    field.checked = false
    if (field.type === "search") field.value = ""
  }
  return [form]
}
