// Messages disappear after eight seconds, unless they have the pointer or the focus. showToast adds one.
const STAYS = 8000

export default function toasts(region) {
  for (const toast of region.querySelectorAll(".toast")) dismissable(toast, region.dataset.close)
}

// `actions` are elements to put after the text, such as an Undo button. A message without any replaces an older one that
// says the same.
export function showToast(text, ...actions) {
  const region = document.querySelector(".toasts")
  for (const older of actions.length ? [] : region.querySelectorAll(".toast:not(:has(:not(span, .close)))")) {
    if (older.querySelector("span").textContent === text) older.remove()
  }
  const toast = document.createElement("div")
  toast.className = "toast"
  const words = document.createElement("span")
  words.textContent = text
  toast.append(words, ...actions)
  region.append(toast)
  dismissable(toast, region.dataset.close)
  return toast
}

function dismissable(toast, label) {
  let timer
  const leave = () => {
    toast.classList.add("leaving")
    setTimeout(() => toast.remove(), 200)
  }
  const wait = () => { timer = setTimeout(leave, STAYS) }
  const stay = () => clearTimeout(timer)

  toast.append(closeButton(label, leave))
  for (const arriving of ["pointerenter", "focusin"]) toast.addEventListener(arriving, stay)
  for (const leaving of ["pointerleave", "focusout"]) toast.addEventListener(leaving, () => { stay(); wait() })
  wait()
}

function closeButton(label, leave) {
  const button = document.createElement("button")
  button.type = "button"
  button.className = "close"
  button.setAttribute("aria-label", label)
  button.textContent = "×"
  button.addEventListener("click", leave)
  return button
}
