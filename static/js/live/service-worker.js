// The service worker: shows what is pushed, opens where it leads, and subscribes again when the browser has to. It keeps
// nothing and answers no requests of pages. The service serves it at /service-worker.js.
const INBOX = "/notifications"
const ADDRESS = "/settings/notifications/push"

addEventListener("push", (event) => event.waitUntil(show(read(event.data))))
addEventListener("notificationclick", (event) => {
  event.notification.close()
  event.waitUntil(go(event.notification.data ?? {}))
})
addEventListener("pushsubscriptionchange", (event) => event.waitUntil(renew(event)))

function read(data) {
  try {
    return data.json() ?? {}
  } catch {
    return {}
  }
}

// What takes the place of a message with the same tag makes no sound.
function show({ title = "Taskboard", body = "", tag = "taskboard", lang = "", open = INBOX, page = open }) {
  return registration.showNotification(String(title), { body: String(body), tag: String(tag), lang, data: { open, page } })
}

// A window that shows the page already comes to the front; what leads there is then fetched alone, which marks it as read.
async function go({ open = INBOX, page = open }) {
  const windows = await clients.matchAll({ type: "window", includeUncontrolled: true })
  const wanted = ours(page).pathname
  const there = windows.find(({ url }) => new URL(url).pathname === wanted)
  if (!there) return clients.openWindow(ours(open).href)
  await there.focus()
  return fetch(ours(open).href, { redirect: "manual" })
}

function ours(address) {
  const url = new URL(address, location.origin)
  return url.origin === location.origin ? url : new URL(INBOX, location.origin)
}

async function renew({ oldSubscription, newSubscription }) {
  const answer = await fetch(ADDRESS, { redirect: "manual" })
  if (!answer.ok) return // signed out
  const { key, token } = await answer.json()
  const options = { userVisibleOnly: true, applicationServerKey: toBytes(key) }
  const subscription = newSubscription ?? await registration.pushManager.subscribe(options)
  const { endpoint, keys } = subscription.toJSON()
  const former = oldSubscription?.endpoint ?? ""
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, key, endpoint, former, ...keys })
  await fetch(ADDRESS, { method: "POST", body, redirect: "manual" })
}

function toBytes(text) {
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"))
  return Uint8Array.from(binary, (sign) => sign.charCodeAt(0))
}
