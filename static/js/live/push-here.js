// Push notifications in this browser: shows what can be done about them, subscribes on a click, and sends what the push
// service gave it with the form. The browser asks for permission on that click alone.
import { showError } from "../kit/toasts.js";

export default async function pushHere(section) {
  const { key, endpoint, failed } = section.dataset
  const turnOn = section.querySelector("form[data-when=off]")
  const turnOff = section.querySelector("form[data-here]")

  if (!isSecureContext || !("PushManager" in window) || !("serviceWorker" in navigator) || !("Notification" in window)) return
  turnOn.addEventListener("submit", subscribe)
  turnOff?.addEventListener("submit", unsubscribe)
  await show()

  async function show() {
    const state = Notification.permission === "denied" ? "blocked" : await isOn() ? "on" : "off"
    for (const part of section.querySelectorAll("[data-when]")) part.hidden = part.dataset.when !== state
  }

  async function isOn() {
    const subscription = await current()
    return Boolean(subscription) && subscription.endpoint === endpoint && hasKey(subscription)
  }

  function hasKey(subscription) {
    const its = subscription.options?.applicationServerKey
    return !its || String(new Uint8Array(its)) === String(toBytes(key))
  }

  async function subscribe(event) {
    event.preventDefault()
    const button = turnOn.querySelector("button")
    button.disabled = true
    try {
      if (await Notification.requestPermission() === "granted") fill(await subscribed())
      else await show()
    } catch (error) {
      console.warn(error)
      showError(failed)
    }
    button.disabled = false
  }

  async function subscribed() {
    await navigator.serviceWorker.register("/service-worker.js")
    const { pushManager } = await navigator.serviceWorker.ready
    const former = await pushManager.getSubscription()
    if (former && !hasKey(former)) await former.unsubscribe()
    return pushManager.subscribe({ userVisibleOnly: true, applicationServerKey: toBytes(key) })
  }

  function fill(subscription) {
    const { endpoint, keys } = subscription.toJSON()
    for (const [name, value] of Object.entries({ endpoint, ...keys })) {
      const field = turnOn.elements.namedItem(name)
      if (field) field.value = value
    }
    turnOn.submit()
  }

  async function unsubscribe(event) {
    event.preventDefault()
    try {
      await (await current())?.unsubscribe()
    } finally {
      turnOff.submit()
    }
  }
}

async function current() {
  return (await navigator.serviceWorker.getRegistration("/"))?.pushManager.getSubscription()
}

function toBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}
