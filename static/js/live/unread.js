// Shows how many notifications are unread in the bell of the topbar. Those about the card that is open on the page count as
// read while somebody can see it.
import { tellNews } from "./news.js";

const MOST = 99
let shown = 0
let known = 0 // how many there were when somebody last saw the page
let newest // the last call: a count that an earlier one waits for is old

document.addEventListener("visibilitychange", () => { if (shown) showUnread(shown) })

export async function showUnread(number) {
  const count = document.querySelector(".bell-count")
  if (!count) return
  const mine = newest = Symbol("call")
  shown = number
  const card = document.querySelector("#open-card, #inbox-pane:not([data-unread])")?.dataset.card
  if (card && number > known && !document.hidden) number = await (await import("./read-card.js")).default(card) ?? number
  if (mine !== newest) return
  shown = number
  known = document.hidden ? Math.min(known, number) : number
  count.hidden = number === 0
  count.querySelector("[data-count]").textContent = number > MOST ? `${MOST}+` : number
  tellNews("bell:unread", number)
}
