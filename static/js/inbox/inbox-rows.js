// Keeps the rows of an open inbox up to date, without moving what is being read: new rows come above it, and a row that is
// chosen, or has the focus or the pointer, stays in its place. Rows of boards that the reader has lost go.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { leave } from "../kit/leave.js";
import { tellPlaced } from "../kit/placed.js";
import { keepingFocus } from "../kit/post.js";
import { formatTimes } from "../kit/times.js";
import { onNews } from "../live/news.js";
import { addressWith, linkOf, list, pane, rows } from "./rows.js";

const HELD = ":hover, :focus-within, :has(> [aria-current])"

export default function inboxRows(main) {
  let asked

  main.addEventListener("inbox:changed", load)
  onNews("bell:unread", load)

  async function load() {
    asked?.abort()
    const { signal } = asked = new AbortController()
    try {
      const [fresh, offer] = await fetchFragments(addressWith(pane().dataset.card, { rows: "" }), signal)
      if (!signal.aborted) renew(fresh, offer)
    } catch {
      // the next news brings it
    }
  }

  function renew(fresh, offer) {
    const news = [...fresh.querySelectorAll(".notification")]
    formatTimes(fresh)
    takeLost(offer?.querySelector("select"))
    if (!rows().length && (news.length || list())) return replace(fresh)
    const chosen = main.querySelector(".told[aria-current]")?.id
    const before = chosen && told(chosen)
    stayingPut(() => keepingFocus(() => {
      for (const row of news) put(row)
      forgetUnread(news)
    }))
    includeInAll()
    if (chosen && told(chosen) !== before) main.dispatchEvent(new CustomEvent("inbox:news"))
  }

  // `offered` has the boards that rows can be of; undefined if there are none.
  function takeLost(offered) {
    const select = main.querySelector("select[name=board]")
    const left = new Set([...offered?.options ?? []].map(({ value }) => value))
    const isLost = ({ dataset: { board } }) => board && !left.has(board)
    for (const row of rows()) if (isLost(row)) leave(row)
    if (isLost(pane())) main.dispatchEvent(new CustomEvent("inbox:lost"))
    if (!offered) select?.form.remove()
    else if (select && select.innerHTML !== offered.innerHTML) select.replaceChildren(...offered.children)
  }

  function replace(fresh) {
    document.getElementById("inbox-rows").replaceWith(fresh)
    tellPlaced(fresh)
  }
}

const told = (id) => document.getElementById(id).closest(".notification").dataset.told

// A row whose menu is open waits until that is closed.
function put(row) {
  const old = document.getElementById(linkOf(row).id)?.closest(".notification")
  const menu = old?.querySelector("details[open]")
  if (menu) return menu.addEventListener("toggle", () => old.dispatchEvent(new CustomEvent("inbox:changed", { bubbles: true })), { once: true })
  if (old && (old.dataset.told === row.dataset.told || old.matches(HELD))) return same(old, row) || old.replaceWith(row)
  old?.remove()
  return list().insertBefore(row, rows().find(({ dataset }) => dataset.told < row.dataset.told) ?? null)
}

// The token of a form is another one each time.
function same(old, row) {
  const [one, other] = [old, row].map((node) => {
    const copy = node.cloneNode(true)
    copy.querySelector("[name=csrfmiddlewaretoken]").remove()
    return copy
  })
  return one.isEqualNode(other)
}

// What the server no longer has among the first rows was read elsewhere.
function forgetUnread(news) {
  const ids = new Set(news.map((row) => linkOf(row).id)), last = news.at(-1)?.dataset.told ?? ""
  for (const row of rows()) if (!ids.has(linkOf(row).id) && row.dataset.told >= last) row.classList.remove("unread")
}

// *Mark all as read* means what has come since the page, too.
function includeInAll() {
  const field = document.querySelector("[name=upto]")
  for (const { dataset } of rows()) if (field && dataset.told > field.value) field.value = dataset.told
}

// Calls `change`, and scrolls so that the row that is read, or the first one in view, stays where it was.
function stayingPut(change) {
  const scroller = [list()?.closest(".inbox-list"), document.scrollingElement].find((one) => one && one.scrollHeight > one.clientHeight)
  const top = scroller === document.scrollingElement ? 0 : scroller?.getBoundingClientRect().top
  const held = rows().find((row) => row.matches(HELD))
  const row = held ?? (scroller?.scrollTop > 0 && rows().find((one) => one.getBoundingClientRect().bottom > top))
  const at = row && row.getBoundingClientRect().top, id = row && linkOf(row).id
  change()
  const now = id && document.getElementById(id)?.closest(".notification")
  if (now && scroller) scroller.scrollTop += now.getBoundingClientRect().top - at
}
