// The bell of the topbar: its panel is read whenever it opens. A live board brings the count over its own connection, any
// other page has one for that alone.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { formatTimes } from "../kit/times.js";

export default function bell(menu) {
  const panel = menu.querySelector(".items")
  const before = [...panel.childNodes]
  let asked

  if (!document.querySelector("[data-behaviour~=live-board]")) import("./bell-line.js").then(({ default: open }) => open())
  menu.addEventListener("toggle", load)
  load() // it may have been opened before this came

  async function load() {
    asked?.abort()
    if (!menu.open) return
    const { signal } = asked = new AbortController()
    try {
      const elements = await fetchFragments("/notifications", signal)
      if (signal.aborted) return
      panel.replaceChildren(...elements)
      formatTimes(panel)
    } catch {
      if (!signal.aborted) panel.replaceChildren(...before, failure())
    }
  }

  function failure() {
    const words = Object.assign(document.createElement("p"), { className: "muted", textContent: menu.dataset.failed })
    words.setAttribute("role", "alert")
    return words
  }
}
