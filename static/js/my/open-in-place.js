// Opens other cards on the same page: by another filter, group, order or page of theirs. Reads the whole page at the new address
// and takes over the rows and the parts that depend on the address, which are marked data-of-address. What does not come soon, or
// is another page by now, is loaded as links are.
import { keepingChip } from "../board/filter-bar.js";
import { announce } from "../kit/announce.js";
import { closeMenu } from "../kit/menus.js";
import { tellPlaced } from "../kit/placed.js";
import { keepingFocus } from "../kit/post.js";
import { region } from "./rows.js";

const PATIENCE = 8000 // ms
const SAME = ["user", "role", "behaviour"] // of <main>: another reader, or one with other rights, has another page

// <main> is aria-busy meanwhile. `ready` returns a promise that the rows may be replaced, `put` replaces them, and `end` is called
// when all is shown.
export function openInPlace(main, { ready, put, end }) {
  let shown = here(), asked, timer

  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]:not([download])")
    if (!link || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    if (!main.contains(link) || !isOfPage(link)) return stop() // another page comes
    event.preventDefault()
    open(link.href, link)
  })
  main.addEventListener("submit", (event) => {
    const form = event.target
    if (form.method !== "get") return
    event.preventDefault()
    open(addressOf(form), form)
  })
  addEventListener("popstate", () => { if (here() !== shown) open(location.href) })
  addEventListener("pagehide", stop)

  // `pressed` is the link or form; without one, the browser has gone to the address already.
  async function open(address, pressed) {
    stop()
    const { signal } = asked = new AbortController()
    const load = () => {
      stop()
      pressed ? location.assign(address) : location.reload()
    }
    closeMenuOf(pressed)
    main.setAttribute("aria-busy", "true")
    timer = setTimeout(load, PATIENCE)
    try {
      const fresh = await read(address, signal)
      clearTimeout(timer)
      await ready()
      if (signal.aborted) return
      if (!fits(main, fresh)) return load()
      if (pressed) history.pushState({}, "", address)
      shown = here()
      keepingPlace(() => show(fresh))
      if (pressed?.rel) scrollTo(0, 0) // another page of the rows, which begins there
    } catch (error) {
      if (signal.aborted) return
      if (!error.isExpected) reportError(error)
      return load()
    }
    main.removeAttribute("aria-busy")
    announce(region().dataset.said)
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

function closeMenuOf(pressed) {
  const menu = pressed?.closest("details.menu[open]")
  if (menu) closeMenu(menu)
}

// What a form asks for, without what is empty.
function addressOf(form) {
  const query = new URLSearchParams([...new FormData(form)].filter(([, value]) => value.trim()))
  return [form.action, ...query.size ? [query] : []].join("?")
}

const here = () => location.pathname + location.search
const partsOf = (main) => [...main.querySelectorAll("[data-of-address]")]
const scriptOf = (page) => page.querySelector("script[type=module]")?.getAttribute("src")

// Another view of the same cards is another page, to which a selection is taken along (kit/selection-along.js).
const isOfPage = (link) => link.origin === location.origin && link.pathname === location.pathname && !link.closest(".views")
