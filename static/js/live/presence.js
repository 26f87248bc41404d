// Shows who else has the board open, on which card, and where they are typing; tells the server the same of this page. The
// server forgets by itself, so a message that is lost does no harm (web/live/presence.py).
import { token } from "../kit/send-forms.js";

const PAUSE = 1500 // milliseconds between two messages to the server
const AGAIN = 8000 // while somebody goes on typing, before the server takes it for over
const IDLE = 6000
const PARTS = { head: "title", description: "description", comments: "comment" }
const FACES = 3 // on a tile
const ROOM = 6 // for faces in the bar, as in members.html

export default function presence(board) {
  const { here: now, ...words } = document.getElementById("presence").dataset
  const me = board.dataset.user
  const typing = { where: "", at: 0 }
  let places = [] // of the others: { user, card, typing }
  let told = " "
  let toldAt = 0
  let waiting

  board.addEventListener("board:here", ({ detail }) => {
    const every = detail.map(([user, card, where]) => ({ user, card, where }))
    places = every.filter(({ user }) => user !== me)
    const { card } = doing()
    if (card && !every.some((place) => place.user === me && place.card === card)) told = "" // it is a new connection
    tell()
    show()
  })
  document.addEventListener("fragment:placed", ({ target }) => { if (!target.closest(".lists") || holdsPlace(target)) show() })
  board.addEventListener("input", ({ target }) => {
    const part = target.closest("#open-card [data-part]:is([data-part=head], [data-part=description], [data-part=comments])")
    if (part) Object.assign(typing, { where: PARTS[part.dataset.part], at: Date.now() })
    tell()
  })
  board.addEventListener("submit", () => { // what was typed is sent
    typing.at = 0
    tell()
  })
  new MutationObserver(tell).observe(document.getElementById("card-place"), { childList: true })

  function doing() {
    const card = document.querySelector("#open-card")?.dataset.card ?? ""
    return { card, typing: card && Date.now() - typing.at < IDLE ? typing.where : "" }
  }

  // Tells what has changed, or that the typing goes on; looks again when the typing may be over.
  function tell() {
    clearTimeout(waiting)
    const { card, typing: typed } = doing()
    const said = `${card} ${typed}`
    const since = Date.now() - toldAt
    if (said === told && !(typed && since > AGAIN)) {
      if (typed) waiting = setTimeout(tell, IDLE)
      return
    }
    if (since < PAUSE) {
      waiting = setTimeout(tell, PAUSE - since)
      return
    }
    told = said
    toldAt = Date.now()
    const body = new URLSearchParams({ page: board.dataset.page, card, typing: typed })
    const headers = { "X-CSRFToken": token() }
    fetch(`/board/${board.dataset.board}/presence`, { method: "POST", body, headers }).catch(() => {})
    if (typed) waiting = setTimeout(tell, IDLE)
  }

  function show() {
    const faces = document.getElementById("members")
    const present = new Set(places.map(({ user }) => user))
    const members = [...faces.querySelectorAll("[data-user]")]
    const isHere = (member) => present.has(member.dataset.user)
    for (const member of members) mark(member, isHere(member))
    const shown = [...members.filter(isHere), ...members.filter((one) => !isHere(one))].slice(0, ROOM)
    for (const member of members) member.hidden = !shown.includes(member)
    for (const old of board.querySelectorAll(".looking")) old.remove()
    for (const card of new Set(places.map((place) => place.card))) {
      const those = places.filter((place) => place.card === card)
      document.getElementById(`card-${card}`)?.prepend(looking(those, FACES))
      const head = board.querySelector(`#open-card[data-card="${card}"] [data-part=head]`)
      head?.querySelector(".crumbs")?.append(looking(those, those.length), sentence(those))
    }
  }

  function holdsPlace(element) {
    return places.some(({ card }) => element.contains(document.getElementById(`card-${card}`)))
  }

  function mark(member, isHere) {
    const face = member.querySelector(".avatar")
    const name = face.dataset.name ??= face.title
    face.classList.toggle("here", isHere)
    face.title = isHere ? `${name} · ${now}` : name
    face.setAttribute("aria-label", face.title)
  }

  function looking(those, most) {
    const users = [...new Set(those.map(({ user }) => user))].slice(0, most)
    const all = Object.assign(document.createElement("span"), { className: "avatars looking" })
    all.append(...users.map((user) => face(user)?.cloneNode(true)).filter(Boolean))
    return all
  }

  function sentence(those) {
    const { user, where } = those.find((place) => place.where && face(place.user)) ?? {}
    const name = user && face(user).dataset.name
    return Object.assign(document.createElement("span"), { className: "looking", textContent: user ? words[where].replace("{person}", name) : "" })
  }

  const face = (user) => document.querySelector(`#members [data-user="${CSS.escape(user)}"] .avatar`)
}
