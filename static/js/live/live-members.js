// The lists of the members page are read anew when somebody joined or left, or when a link was made or withdrawn.
import { openLine } from "./line.js";
import { areAboutPeople, isInUse } from "./people-lists.js";
import { tellPlaced } from "../kit/placed.js";
import { formatTimes } from "../kit/times.js";

export default function liveMembers(lists) {
  const { board } = lists.dataset
  let isWaiting = false
  if ("archived" in lists.dataset) return
  const nothing = () => {}
  openLine({ address, receive, back: nothing, lost: nothing, crowded: nothing, ended: () => location.reload() })
  lists.addEventListener("focusout", () => setTimeout(() => { if (isWaiting && !isInUse(lists)) read() }))

  function address() {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:"
    const { version, change } = lists.dataset
    return `${scheme}//${location.host}/ws/board/${board}?since=${version}&change=${change}&beats`
  }

  async function receive(message, signal) {
    if (message.here) return
    if (message.reload || areAboutPeople([...message.changed, ...message.removed])) await read(signal)
    if (message.version) Object.assign(lists.dataset, { version: message.version, change: message.change ?? "" })
  }

  async function read(signal) {
    isWaiting = isInUse(lists)
    if (isWaiting) return
    const answer = await fetch(`/board/${board}/members`, { signal })
    if (!answer.ok) throw Object.assign(new Error(answer.status), { isExpected: true })
    const page = new DOMParser().parseFromString(await answer.text(), "text/html")
    const fresh = page.getElementById("member-lists")
    if (!fresh) return
    Object.assign(lists.dataset, { version: fresh.dataset.version, change: fresh.dataset.change })
    lists.replaceChildren(...fresh.childNodes)
    formatTimes(lists)
    tellPlaced(lists)
  }
}
