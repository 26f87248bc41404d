// A page that was open while the service was upgraded may not find scripts and style sheets that it loads later. Says so, and
// offers to reload. Without a connection it says that instead.
import { showError, showToast } from "./toasts.js";

const UNLOADED = /dynamically imported module|module script failed|style sheet/i // Chromium and Firefox; Safari; later-styles.js

let asked = Promise.resolve() // one message, however many scripts a click asks for
let shown
let left = -Infinity // when the way to another page began: Firefox then gives up the scripts that are on their way
const LEAVING = 10_000 // milliseconds; a download begins like a way to another page, and does not leave this one

globalThis.navigation?.addEventListener("navigate", ({ destination, timeStamp }) => {
  if (!destination.sameDocument) left = timeStamp
})
addEventListener("error", ({ error }) => hear(error))
addEventListener("unhandledrejection", ({ reason }) => hear(reason))

function hear(error) {
  if (performance.now() - left < LEAVING) return
  if (error instanceof TypeError && UNLOADED.test(error.message)) asked = asked.then(say)
}

async function say() {
  if (shown?.isConnected) return
  const { newVersion, reload, failed } = document.querySelector(".toasts").dataset
  shown = await isServed() ? showToast(newVersion, reloadButton(reload)) : showError(failed)
}

async function isServed() {
  try {
    return (await fetch("/livez", { cache: "no-store" })).ok
  } catch {
    return false
  }
}

function reloadButton(words) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: words })
  button.addEventListener("click", () => location.reload())
  return button
}
