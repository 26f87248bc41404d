// Live updates: applies what changed since the version that the page shows, as the server sends it. After a lost
// connection it asks again from that version, so nothing is missed (web/live/consumer.py).
import { fetchFragments } from "../kit/fetch-fragments.js";
import { tellGone } from "../card/gone-card.js";
import { isHeld } from "../board/held.js";
import { showUnread } from "./unread.js";
import { openLine } from "./line.js";
import { takeBackError } from "../kit/toasts.js";
import { remove, setTotal } from "../board/place-lists.js";
import { fragmentsOf, place } from "../board/place.js";

const PREFIX = { card: "card-", list: "list-", offer: "offer-" }
const SIGNED_OUT = 4401, NO_ACCESS = 4403

export default function liveBoard(board) {
  const bar = board.querySelector(".live-bar")
  const base = board.dataset.base || `/board/${board.dataset.board}`
  let version
  let isSignedOut = false
  let bell // the connection of the bell alone, when that of the board has ended

  board.dataset.page = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("")
  moveTo(board.dataset)
  const line = openLine({ address, receive, back, lost: () => say(bar.dataset.lost), crowded: () => say(bar.dataset.tooMany), ended })
  addEventListener("focus", signInAgain)
  addEventListener("board:answered", ({ detail }) => { if (detail.isAccepted) signInAgain() })

  function address() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:"
    const { change, page } = board.dataset
    return `${scheme}//${location.host}/ws${base}?since=${version}&change=${change}&page=${page}&beats&bell&language=${document.documentElement.lang}`
  }

  async function receive(message, signal) {
    if (message.unread !== undefined) return void showUnread(message.unread).catch(reportError) // the next message does not wait for it
    if (message.here) return void board.dispatchEvent(new CustomEvent("board:here", { detail: message.here }))
    if (message.reload) return reload(message, signal)
    if (message.version <= version) return undefined
    if (message.since > version) return line.connect()
    const { filter } = board.dataset
    if (filter) {
      const { keptOf } = await import("../board/filter-matches.js")
      const filtered = await keptOf(board, message, signal)
      if (filter !== board.dataset.filter) return receive(message, signal) // another one was chosen meanwhile
      if (!filtered) return reload({}, signal)
      apply(message, ({ kind, id }) => kind !== "card" || filtered.kept.has(id))
      filtered.count()
    } else apply(message)
    board.dataset.version = message.version // of lists and tiles; `version` waits for the open card
    const things = [...message.changed, ...message.removed]
    board.dispatchEvent(new CustomEvent("board:news", { detail: things }))
    await refresh(signal, things)
    return moveTo(message)
  }

  // `restored`: the database is an older backup, and what the page shows may never have happened.
  async function reload(message, signal) {
    const { placeEverything } = await import("../board/place-everything.js")
    const { filter } = board.dataset
    const [everything, ...elements] = await fetchFragments(`${base}/lists?${filter ?? ""}`, signal)
    if (filter !== board.dataset.filter) return reload(message, signal) // as above
    board.dataset.version = everything.dataset.version
    await placeEverything(elements, { byForce: message.restored, signal })
    board.dispatchEvent(new CustomEvent("board:news"))
    await refresh(signal)
    moveTo(everything.dataset)
  }

  function moveTo(shown) {
    version = Number(shown.version)
    Object.assign(board.dataset, { version, change: shown.change ?? "" })
  }

  // With a filter, cards that it does not keep are taken off the page.
  function apply({ changed, removed, totals = {} }, isKept = () => true) {
    const gone = changed.filter((thing) => !isKept(thing))
    for (const { kind, id } of [...removed, ...gone]) if (kind in PREFIX) remove(PREFIX[kind] + id)
    for (const { html } of changed.filter(isKept)) for (const element of fragmentsOf(html)) arrive(place(element))
    if (board.dataset.filter) return
    for (const [id, total] of Object.entries(totals)) setTotal(document.getElementById(`list-${id}`), { total })
  }

  function arrive(element) {
    if (!element?.matches(".card")) return
    element.classList.add("arrived")
    setTimeout(() => element.classList.remove("arrived"), 1500)
  }

  // Reads what changed on the open card, or all of it: after a reload, and when my role may decide on other controls.
  async function refresh(signal, things) {
    const card = document.getElementById("open-card")
    if (!card || (things && !things.some((thing) => concerns(thing, card)))) return
    const how = things?.every(({ kind }) => kind !== "members") ? "since" : "version" // only what changed, or all of it
    try {
      for (const element of await fetchFragments(`${board.dataset.base}/card/${card.dataset.card}?${how}=${card.dataset.version}`, signal)) place(element)
    } catch (error) {
      if (error.status !== 404) throw error
      tellGone(card)
    }
  }

  // Whether the open card has to be read again: it has changed, or its list, the members, or the labels that its menu offers. A
  // held tile does not show yet what changed.
  function concerns({ kind, id }, card) {
    const tile = document.getElementById(`card-${card.dataset.card}`)
    if (kind === "list") return (tile?.closest(".list")?.id ?? `list-${id}`) === `list-${id}`
    if (kind === "members" || (kind === "labels" && card.querySelector("#labels-menu"))) return true
    if (kind !== "card" || id !== card.dataset.card) return false
    return isHeld(`card-${id}`) || !(Number(tile?.dataset.version) <= Number(card.dataset.version))
  }

  function back({ user }) {
    if (user !== board.dataset.user) return location.reload() // somebody else signed in in this browser
    isSignedOut = false
    if (!bar.hidden) takeBackError(board.dataset.failed)
    return say("")
  }

  // The reader may have signed in again in another tab.
  function signInAgain() {
    if (isSignedOut) line.connect()
  }

  function ended(code) {
    isSignedOut = code === SIGNED_OUT
    if (isSignedOut) return offer("signedOut", "signIn", `/sign-in?next=${encodeURIComponent(location.pathname + location.search)}`)
    board.dataset.role = "viewer"
    if (board.dataset.base) offer("gone", "again", location.pathname)
    else {
      offer(code === NO_ACCESS ? "withdrawn" : "gone", "home", "/")
      bell ??= import("./bell-line.js").then(({ default: open }) => open())
    }
    if (board.dataset.base || code === NO_ACCESS) return import("../board/withdrawn.js").then((end) => end.default(board))
  }

  function offer(words, way, href) {
    say(bar.dataset[words], Object.assign(document.createElement("a"), { href, textContent: bar.dataset[way] }))
  }

  function say(words, ...also) {
    bar.replaceChildren(words, ...also)
    bar.hidden = !words
  }
}
