// Opens other cards on the same page: by another filter, group, order or page of theirs. Reads the whole page at the new address
// and takes over the rows and the parts that depend on the address, which are marked data-of-address. If the page is late or no
// longer fits, the browser loads it.
import { keepingChip } from "../board/filter-bar.js";
import { announce } from "../kit/announce.js";
import { closeMenu } from "../kit/menus.js";
import { tellPlaced } from "../kit/placed.js";
import { keepingFocus } from "../kit/post.js";
import { showError } from "../kit/toasts.js";
import { region } from "./rows.js";

const PATIENCE = 15000 // ms: longer than a page of a large board waits for its turn (web/boards/large.py)
const SAME = ["user", "role", "behaviour"] // of <main>: another reader, or one with other rights, has another page

// <main> is aria-busy meanwhile. `ready` returns a promise that the rows may be replaced, `put` replaces them, and `end` is called
// when all is shown.
export function openInPlace(main, { ready, put, end }) {
  let shown = here(), asked, timer
  let isOfHistory = false // the newest one: the browser has gone to its address already

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]:not([download])")
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (isWithin(link)) return
    if (!main.contains(link) || !isOfPage(link)) return leave()
    event.preventDefault()
    open(link.href, link)
  })
  main.addEventListener("submit", (event) => {
    const form = event.target
    if (event.defaultPrevented || form.method !== "get") return
    event.preventDefault()
    open(addressOf(form), form)
  })
  addEventListener("popstate", () => {
    if (here() !== shown) open(location.href)
    else if (isOfHistory) cancel() // Forward, before the page of Back had come
  })
  addEventListener("pagehide", stop)

  // `pressed` is the link or form; without one, the browser has gone to the address already.
  async function open(address, pressed) {
    stop()
    const { signal } = asked = new AbortController()
    isOfHistory = !pressed
    const load = () => {
      stop()
      pressed ? location.assign(address) : location.reload()
    }
    for (const menu of main.querySelectorAll("details.menu[open]")) closeMenu(menu)
    main.setAttribute("aria-busy", "true")
    timer = setTimeout(load, PATIENCE)
    try {
      const fresh = await read(address, signal)
      clearTimeout(timer)
      await ready()
      if (signal.aborted) return
      if (!fits(main, fresh)) return load()
      if (pressed && address !== location.href) history.pushState({}, "", address)
      shown = here()
      keepingPlace(() => show(fresh))
      if (pressed?.rel) scrollTo(0, 0) // another page of the rows, which begins there
    } catch (error) {
      if (signal.aborted) return
      if (!error.isExpected) reportError(error)
      return pressed && !navigator.onLine ? stay() : load()
    }
    main.removeAttribute("aria-busy")
    announce(region().dataset.said)
    end()
  }

  // The browser's own page would take the place of the rows.
  function stay() {
    cancel()
    showError(main.dataset.failed)
  }

  // Another page comes, perhaps. What the address says already is shown all the same.
  function leave() {
    if (here() === shown) cancel()
  }

  // News may have come meanwhile.
  function cancel() {
    stop()
    end()
  }

  function stop() {
    asked?.abort()
    clearTimeout(timer)
    main.removeAttribute("aria-busy")
  }

  function show(fresh) {
    for (const part of partsOf(main)) replace(part, fresh.getElementById(part.id))
    put(fresh.getElementById(region().id))
    const { filter } = fresh.getElementById("main").dataset
    if (filter === undefined) delete main.dataset.filter
    else main.dataset.filter = filter
    document.title = fresh.title
    tellPlaced(main)
  }
}

async function read(address, signal) {
  try {
    const answer = await fetch(address, { headers: { Accept: "text/html" }, signal })
    if (!answer.ok || answer.redirected) throw new Error(`${answer.status} ${address}`)
    return new DOMParser().parseFromString(await answer.text(), "text/html")
  } catch (error) {
    throw Object.assign(error, { isExpected: true }) // the network, or the server
  }
}

// Whether a page has the parts of this one, for the same reader and from the same version of the service.
function fits(main, fresh) {
  const other = fresh.getElementById("main"), names = (one) => partsOf(one).map(({ id }) => id).join()
  return other && names(other) === names(main) && fresh.getElementById(region().id)
    && SAME.every((name) => other.dataset[name] === main.dataset[name]) && scriptOf(fresh) === scriptOf(document)
}

// What is scrolled sideways stays so.
function replace(part, fresh) {
  const { scrollLeft } = part
  part.replaceWith(fresh)
  fresh.scrollLeft = scrollLeft
}

// Calls `change`. What has the focus keeps it; if it is gone, the chip in its place or the other way through the pages gets it, or
// else the button of the filter.
function keepingPlace(change) {
  const focused = document.activeElement, filterButton = () => document.getElementById("filter-button")
  keepingChip(() => keepingFocus(change), filterButton)
  if (focused.isConnected || document.activeElement !== document.body) return
  const other = focused.rel && document.querySelector("#page-before, #page-after")
  ;(other || filterButton()).focus({ preventScroll: true })
}

// What a form asks for, without what is empty.
function addressOf(form) {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()))
  return [form.action, ...query.size ? [query] : []].join("?")
}

const here = () => location.pathname + location.search
const partsOf = (main) => [...main.querySelectorAll("[data-of-address]")]
const scriptOf = (page) => page.querySelector("script[type=module]")?.getAttribute("src")

// Whether a link leads to a place of the page as it is.
const isWithin = ({ href }) => href.includes("#") && href.split("#")[0] === location.href.split("#")[0]

// Another view of the same cards is another page, to which a selection is taken along (kit/selection-along.js).
const isOfPage = (link) => link.origin === location.origin && link.pathname === location.pathname && !link.closest(".views")
