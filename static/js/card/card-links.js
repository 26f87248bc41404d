// Shows links to cards by title, number and state, as far as the reader may see these cards. A link with a text of its own
// keeps it, and has the rest as its tooltip. What several texts ask for at once is one request.
import { hasUnsavedText } from "../kit/busy.js";
import { fetchFragments } from "../kit/fetch-fragments.js";

const PATH = /^\/board\/[-0-9a-f]{36}$/
const AT_MOST = 50 // cards in one request
const known = new Map() // what is shown of a card, by its id: what comes again looks at once as it did
const waiting = new Map() // links, by the card's id

export default function cardLinks(prose) {
  for (const link of prose.querySelectorAll("a[href]")) {
    const card = cardOf(link)
    if (!card) continue
    if (known.has(card)) show(link, known.get(card))
    if (!waiting.size) setTimeout(ask)
    waiting.set(card, [...waiting.get(card) ?? [], link])
  }
  prose.addEventListener("click", open)
}

function cardOf({ href }) {
  const { origin, pathname, searchParams } = new URL(href)
  return origin === location.origin && PATH.test(pathname) ? searchParams.get("card") : null
}

async function ask() {
  const asked = [...waiting].slice(0, AT_MOST)
  for (const [card] of asked) waiting.delete(card)
  if (waiting.size) setTimeout(ask)
  const query = new URLSearchParams([["here", board().dataset.board], ...asked.map(([card]) => ["card", card])])
  const found = await fetchFragments(`/linked-cards?${query}`, new AbortController().signal).catch(() => [])
  for (const about of found) known.set(about.dataset.linked, about)
  for (const [card, links] of asked) for (const link of links) if (known.has(card)) show(link, known.get(card))
}

function show(link, about) {
  const words = about.content.textContent.replace(/\s+/g, " ").trim()
  if (!link.matches(".card-link") && link.textContent !== link.getAttribute("href")) return link.setAttribute("title", words)
  link.className = "card-link"
  link.toggleAttribute("data-done", "done" in about.dataset)
  return link.replaceChildren(about.content.cloneNode(true))
}

// Opens a card of this board in place of the one that is open. Others have a page of their own.
function open(event) {
  const link = event.target.closest("a[href]")
  const card = link && cardOf(link)
  const isOfOtherTab = event.ctrlKey || event.metaKey || event.shiftKey
  if (!card || isOfOtherTab || !link.pathname.endsWith(board().dataset.board) || hasUnsavedText(board())) return
  event.preventDefault()
  board().dispatchEvent(new CustomEvent("board:open", { detail: { card } }))
}

const board = () => document.querySelector("main.board")
