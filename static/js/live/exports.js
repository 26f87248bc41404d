// Watches exports that are being made: the panel is read again every two seconds until none of them is. What has become of one
// is read out.
import { announce } from "../kit/announce.js";
import { fetchFragments } from "../kit/fetch-fragments.js";
import { tellPlaced } from "../kit/placed.js";

const EVERY = 2000
const LONGEST = 30000
const ENDS = ["done", "failed"]

export default function exports(panel) {
  let pause = EVERY
  let stop // aborts what is being read
  let timer = setTimeout(look, pause)
  addEventListener("pagehide", () => {
    stop?.abort()
    clearTimeout(timer)
  })
  addEventListener("pageshow", ({ persisted }) => { if (persisted) look() }) // the browser kept the page

  async function look() {
    if (!panel.isConnected) return
    const { signal } = stop = new AbortController()
    try {
      const [fresh] = await fetchFragments(panel.dataset.address, signal)
      pause = EVERY
      show(fresh)
    } catch (error) {
      if (error.isRedirected) return location.reload() // to sign in
      pause = Math.min(2 * pause, LONGEST)
    }
    if (panel.isConnected && !signal.aborted) timer = setTimeout(look, pause)
  }

  // While the exports are the same ones, only their progress is written, so that a button that has the focus keeps it.
  function show(fresh) {
    const rows = [...fresh.querySelectorAll(".export")]
    const old = rows.map((row) => document.getElementById(row.id))
    if (rows.length !== panel.querySelectorAll(".export").length) return replace(fresh)
    if (rows.some((row, place) => old[place]?.dataset.state !== row.dataset.state)) return replace(fresh)
    rows.forEach((row, place) => {
      const bars = [row, old[place]].map((one) => one.querySelector("progress"))
      if (!bars.every(Boolean)) return
      bars[1].value = bars[0].value
      old[place].querySelector(".export-facts p").textContent = row.querySelector(".export-facts p").textContent
    })
  }

  function replace(fresh) {
    const hadFocus = panel.contains(document.activeElement)
    const ended = [...fresh.querySelectorAll(".export")].filter(({ id, dataset }) => {
      const former = document.getElementById(id)
      return former && former.dataset.state !== dataset.state && ENDS.includes(dataset.state)
    })
    panel.replaceWith(fresh)
    if (ended.length) announce(ended.map(described).join(" "))
    if (hadFocus) fresh.querySelector(".export :is(a, button)")?.focus()
    tellPlaced(fresh)
  }
}

// Says what it is of, and how large it is or why it failed.
function described(row) {
  return [".export-what", ".export-facts"].map((part) => row.querySelector(part).textContent.replace(/\s+/g, " ").trim()).join(": ")
}
