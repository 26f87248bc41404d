// Shows how work beside the page goes on: asks for the page again every two seconds while somebody sees it. The element has
// an id, its address in data-address, and in data-state what it shows. While that is the same, only the sentence and the bar
// are written, so that a button keeps the focus; otherwise the new state takes the place of the old one. Where the page is gone
// or asks to sign in, it is loaded again.
import { tellPlaced } from "../kit/placed.js";

const EVERY = 2000 // milliseconds

export default function followProgress(element) {
  setTimeout(look, EVERY)

  async function look() {
    if (!element.isConnected) return
    const fresh = document.hidden ? null : await ask().catch(() => null)
    if (!element.isConnected) return
    if (fresh && fresh.dataset.state !== element.dataset.state) return show(fresh)
    if (fresh) write(fresh)
    setTimeout(look, EVERY)
  }

  async function ask() {
    const answer = await fetch(element.dataset.address, { headers: { Accept: "text/html" } })
    if (answer.redirected || answer.status === 404) location.reload()
    if (!answer.ok || answer.redirected) return null
    return new DOMParser().parseFromString(await answer.text(), "text/html").getElementById(element.id)
  }

  function write(fresh) {
    const [said, now] = [element, fresh].map((one) => one.querySelector("[role=status]"))
    if (said && now && said.textContent !== now.textContent) said.textContent = now.textContent
    const [bar, next] = [element, fresh].map((one) => one.querySelector("progress"))
    if (bar && next) bar.value = next.value
  }

  // The heading gets the focus, so that the new state is read from there, unless somebody is elsewhere on the page.
  function show(fresh) {
    const { activeElement } = document
    const isHere = !activeElement || activeElement === document.body || element.contains(activeElement)
    element.replaceWith(fresh)
    if (isHere) fresh.querySelector("h1").focus()
    tellPlaced(fresh)
  }
}
