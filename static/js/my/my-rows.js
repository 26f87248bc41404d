// Keeps the rows of *My work* as the server has them: after each change made here, and when it tells that one of the boards
// has changed. What was ticked here stays, grey, until one leaves or does something else to it. The row that is read stays where
// it is, or the next one when it leaves. Tables use it too: rows:fresh lets them prepare the new rows, and while a cell is edited
// or saved it waits for rows:settled.
import { showTicked } from "../board/tick-cards.js";
import { boardsOf } from "../kit/boards-seen.js";
import { fetchFragments } from "../kit/fetch-fragments.js";
import { keepingFocus } from "../kit/post.js";
import { formatTimes } from "../kit/times.js";
import { onNews } from "../live/news.js";
import { openInPlace } from "./open-in-place.js";
import { followFocus, keepingRow, rowFocused } from "./row-focus.js";
import { linkOf, region, rowAt, rowMeant, rowOf, rows } from "./rows.js";

const GONE = 404, BUSY = 503 // the board, for this reader; many pages of large boards are being made
const GROUP = ".my-group, .table-frame", LIST = ".due-rows, tbody" // of rows: a table has one
const AGAIN = 5000 // ms, and up to twice that

export default function myRows(main) {
  let asked
  let isStale = false
  let ticks = 0 // on their way

  followFocus()
  main.addEventListener("click", ({ target }) => {
    const row = target.closest(".title") && rowAt(target)
    if (row) remember({ opened: row.dataset.card })
  })
  main.addEventListener("scrollend", ({ target }) => {
    if (target === frameOf() && main.ariaBusy !== "true") remember({ down: target.scrollTop })
  }, { capture: true })
  if (placeLeft()) frameOf()?.scrollTo(0, placeLeft())
  returnTo(history.state?.opened)
  main.addEventListener("cards:changed", load)
  main.addEventListener("cards:sent", ({ detail: answered }) => {
    ticks += 1
    answered.finally(() => { ticks -= 1 })
  })
  onNews("work:changed", (work) => { if (work !== region().dataset.seen) load() })
  document.addEventListener("visibilitychange", () => { if (isStale) load() })
  main.addEventListener("rows:settled", () => { if (isStale) load() })
  openInPlace(main, {
    ready: () => settled(main),
    put: (fresh) => replaceAll(main, fresh),
    end() { if (isStale || asked) load() }, // what is on its way was asked for at the former address
  })

  async function load() {
    isStale = document.hidden || isEdited() || main.ariaBusy === "true" // other cards are on their way
    asked?.abort()
    if (isStale) return
    const { signal } = asked = new AbortController()
    try {
      const [fresh] = await fetchFragments(location.pathname + location.search, signal)
      if (signal.aborted) return
      asked = undefined
      if (isEdited()) isStale = true
      else renew(main, fresh, ticks > 0)
    } catch ({ status }) {
      if (signal.aborted) return
      if (status === GONE) return location.reload()
      isStale = true // the next news brings it, or somebody who looks again
      if (status === BUSY) setTimeout(() => { if (isStale) load() }, AGAIN * (1 + Math.random()))
    }
  }
}

// Keeps something for whoever comes back to this page of the history.
function remember(more) {
  history.replaceState({ ...history.state, ...more }, "")
}

// How far down a table was. Where the page itself was, the browser knows.
const placeLeft = () => history.state?.down ?? 0

// Whoever comes back from a card goes on at its row.
function returnTo(card) {
  const row = card && document.activeElement === document.body && rowOf(card)
  if (row) linkOf(row).focus({ preventScroll: placeLeft() > 0 })
}

const isEdited = () => Boolean(region().querySelector("[data-editing], [data-saving]"))

// Waits until nothing is edited and no menu is open, whose text would be lost.
async function settled(main) {
  while (isEdited() || main.querySelector("details.menu[open]")) {
    await new Promise((resolve) => {
      for (const name of ["rows:settled", "toggle"]) main.addEventListener(name, resolve, { once: true, capture: true })
    })
  }
}

function prepare(main, fresh) {
  formatTimes(fresh)
  say(main, fresh.dataset.said)
  main.dispatchEvent(new CustomEvent("rows:fresh", { detail: fresh }))
}

// Shows other cards from the first row on, or where the reader left them, after Back or Forward.
function replaceAll(main, fresh) {
  const left = frameOf()?.scrollLeft ?? 0
  prepare(main, fresh)
  region().replaceWith(fresh)
  frameOf()?.scrollTo(left, placeLeft())
}

function renew(main, fresh, areOnTheirWay) {
  keepTicked(main, fresh, areOnTheirWay)
  prepare(main, fresh)
  const held = rowFocused() ?? rowMeant(), hadFocus = held?.contains(document.activeElement)
  const next = held && leaves(held, fresh) ? following(held, fresh) : held
  keepingRow(() => stayingPut(next, () => keepingFocus(() => region().replaceWith(fresh))))
  if (hadFocus && next && next !== held) linkOf(rowOf(next.dataset.card)).focus({ preventScroll: true })
}

// A change is read out.
function say(main, words) {
  for (const status of main.querySelectorAll(":is(.filterbar, .table-tools) > [role=status]")) {
    if (status.textContent !== words) status.textContent = words
  }
}

// Whether a row is taken away or goes to another group: whoever changed its due date goes on with the next one.
function leaves(row, fresh) {
  const twin = fresh.querySelector(`#${row.id}`), groupOf = (one) => one.closest(".my-group")?.dataset.group
  return !twin || groupOf(twin) !== groupOf(row)
}

function following(row, fresh) {
  const all = rows(), at = all.indexOf(row)
  return [...all.slice(at + 1), ...all.slice(0, at).reverse()].find(({ id }) => fresh.querySelector(`#${id}`))
}

// Puts the rows that were ticked here, and that the server no longer has, where they stood; none if a board may be lost. While
// ticks are on their way, the server may still have their rows as they were.
function keepTicked(main, fresh, areOnTheirWay) {
  if (boardsOf(fresh.dataset.seen) !== boardsOf(region().dataset.seen)) return
  for (const row of region().querySelectorAll("[data-ticked]")) {
    const twin = fresh.querySelector(`#${row.id}`)
    if (twin && areOnTheirWay && twin.querySelector(".done-check")) {
      showTicked(twin, row.matches(".done"), main.dataset)
      twin.dataset.ticked = ""
    }
    if (twin) continue
    const list = listOf(fresh, row.closest(GROUP))
    const before = row.previousElementSibling && list.querySelector(`#${row.previousElementSibling.id}`)
    const copy = row.cloneNode(true)
    if (before) before.after(copy)
    else list.prepend(copy)
  }
}

// The list of the same group, which is put in its place if the server no longer has it.
function listOf(fresh, group) {
  const twinOf = ({ dataset }) => [...fresh.querySelectorAll(GROUP)].find((one) => one.dataset.group === dataset.group)
  let twin = twinOf(group)
  if (!twin) {
    twin = group.cloneNode(true)
    twin.querySelector(LIST).replaceChildren()
    for (const count of twin.querySelectorAll(".count")) count.textContent = 0
    const later = [...region().querySelectorAll(GROUP)].slice([...region().children].indexOf(group) + 1)
    fresh.querySelector(".empty")?.remove()
    fresh.insertBefore(twin, later.map(twinOf).find(Boolean) ?? fresh.querySelector("nav"))
  }
  return twin.querySelector(LIST)
}

// Calls `change`, and scrolls so that the row that is meant, or the first one in view, stays where it was.
function stayingPut(held, change) {
  const frame = frameOf(), { scrollLeft: left = 0, scrollTop: down = scrollY } = frame ?? {}
  const row = held ?? (down > 0 && rows().find((one) => one.getBoundingClientRect().bottom > 0))
  const top = row && row.getBoundingClientRect().top
  change()
  frameOf()?.scrollTo(left, down)
  const now = row && rowOf(row.dataset.card)
  if (now) (frameOf() ?? window).scrollBy(0, now.getBoundingClientRect().top - top)
}

// What scrolls a table; other rows scroll with the page.
const frameOf = () => region().querySelector(".table-frame")
