// Live updates: opens a socket that sends what changed since the version that the page shows, and applies it.
// After a lost connection it asks again from that version, so nothing is missed (web/live/consumer.py).
import { fragmentsOf, place, remove } from "./place.js";

const LONGEST_WAIT = 30000
const PREFIX = { card: "card-", list: "list-" }

export default function liveBoard(board) {
  const bar = board.querySelector(".live-bar")
  let socket
  let attempts = 0
  let version = Number(board.dataset.version)
  let saying

  connect()
  addEventListener("online", () => { if (socket?.readyState === WebSocket.CLOSED) connect() })
  addEventListener("pagehide", () => socket?.close())
  addEventListener("pageshow", (event) => { if (event.persisted) connect() })

  function connect() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:"
    const mine = new WebSocket(`${scheme}//${location.host}/ws/board/${board.dataset.board}?since=${version}`)
    socket = mine
    mine.addEventListener("open", () => say(""))
    mine.addEventListener("message", ({ data }) => receive(JSON.parse(data)))
    mine.addEventListener("close", ({ code }) => { if (mine === socket) lost(code) })
  }

  function lost(code) {
    if (code === 4401) stop("signedOut", "signIn", `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
    else if (code === 4403) stop("withdrawn", "home", "/")
    else if (code === 4404) stop("gone", "home", "/")
    else {
      clearTimeout(saying)
      saying = setTimeout(() => say(bar.dataset.lost), 1000)
      const wait = Math.min(LONGEST_WAIT, 500 * 2 ** attempts++)
      setTimeout(connect, wait * (0.5 + Math.random()))
    }
  }

  function receive(message) {
    attempts = 0
    if (message.version <= version && !message.reload) return
    if (message.since > version) return again()
    if (message.reload) window.htmx.ajax("GET", `/board/${board.dataset.board}/lists`, { source: bar, target: board, swap: "place" })
    else apply(message)
    version = message.version
    board.dataset.version = version
  }

  function again() {
    const old = socket
    connect()
    old.close()
  }

  function apply({ changed, removed }) {
    for (const { kind, id } of removed) if (kind in PREFIX) remove(PREFIX[kind] + id)
    for (const { html } of changed) for (const element of fragmentsOf(html)) arrive(place(element))
    const card = document.getElementById("open-card")
    if (card && [...changed, ...removed].some((thing) => concerns(thing, card))) refresh(card.dataset.card)
  }

  function arrive(element) {
    if (!element?.matches(".card")) return
    element.classList.add("arrived")
    setTimeout(() => element.classList.remove("arrived"), 1500)
  }

  // Whether the open card has to be read again: the card has changed, or the members, as my role decides on its controls.
  function concerns({ kind, id }, card) {
    if (kind === "members") return true
    if (kind !== "card" || id !== card.dataset.card) return false
    return !(Number(document.getElementById(`card-${id}`)?.dataset.version) <= Number(card.dataset.version))
  }

  function refresh(card) {
    window.htmx.ajax("GET", `/card/${card}`, { source: bar, target: board, swap: "place" })
  }

  function stop(words, way, address) {
    socket = null
    const link = document.createElement("a")
    Object.assign(link, { href: address, textContent: bar.dataset[way] })
    board.dataset.role = "viewer"
    say(bar.dataset[words], link)
  }

  function say(words, ...also) {
    clearTimeout(saying)
    bar.replaceChildren(words, ...also)
    bar.hidden = !words
  }
}
