// The bell of the topbar: its panel is read whenever it opens. While it is open, rows go that are no longer there, as of a board
// that the reader has lost. A live board brings the count over its own connection, any other page has one for that alone.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { leave } from "../kit/leave.js";
import { formatTimes } from "../kit/times.js";

export default function bell(menu) {
  const panel = menu.querySelector(".items")
  const before = [...panel.childNodes]
  let asked

  if (!document.querySelector("[data-behaviour~=live-board]")) import("./bell-line.js").then(({ default: open }) => open())
  menu.addEventListener("toggle", () => load())
  document.addEventListener("bell:unread", () => load({ isShown: Boolean(panel.querySelector("li")) }))
  load() // it may have been opened before this came

  async function load({ isShown = false } = {}) {
    asked?.abort()
    if (!menu.open) return
    const { signal } = asked = new AbortController()
    try {
      const [fresh] = await fetchFragments("/notifications", signal)
      if (signal.aborted) return
      formatTimes(fresh)
      if (isShown) takeLost(fresh)
      if (!panel.querySelector("li") || !isShown) panel.replaceChildren(fresh)
    } catch {
      if (!signal.aborted && !isShown) panel.replaceChildren(...before, failure())
    }
  }

  function takeLost(fresh) {
    const left = new Set([...fresh.querySelectorAll("li")].map(keyOf))
    for (const row of panel.querySelectorAll("li")) if (!left.has(keyOf(row))) leave(row, menu.querySelector("summary"))
  }

  function failure() {
    const words = Object.assign(document.createElement("p"), { className: "muted", textContent: menu.dataset.failed })
    words.setAttribute("role", "alert")
    return words
  }
}

// Another notification may stand for a card meanwhile.
function keyOf(row) {
  const { dataset: { card }, href } = row.querySelector(".told")
  return card ?? href
}
