// What the scripts of the inbox know of its rows and of the pane beside them.
export const WIDE = matchMedia("(min-width: 64rem)") // as in static/css/inbox.css

export const pane = () => document.getElementById("inbox-pane")
export const list = () => document.querySelector("#inbox-rows > .inbox")
export const rows = () => [...list()?.children ?? []]
export const linkOf = (row) => row.querySelector(".told")
export const rowOf = (card) => document.getElementById(`told-${card}`)?.closest(".notification")

// Returns the address of the page as it is, with another card, or with none.
export function addressWith(card, also = {}) {
  const address = new URL(location)
  if (card) address.searchParams.set("card", card)
  else address.searchParams.delete("card")
  for (const [name, value] of Object.entries(also)) address.searchParams.set(name, value)
  return address.pathname + address.search
}
