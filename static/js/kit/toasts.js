// The message bar: one, of which the newest replaces the one before. It leaves after eight seconds, but not while it has the
// pointer or the focus. An error stays until it is closed.
const STAYS = 8000

export default function toasts(region) {
  const [first, ...others] = region.querySelectorAll(".toast")
  if (first) show(region, joined([first, ...others]))
}

// `actions` are elements to put after the text, such as an Undo button.
export function showToast(text, ...actions) {
  return show(document.querySelector(".toasts"), toastOf(text, ...actions))
}

export function showError(text, ...actions) {
  const toast = toastOf(text, ...actions)
  toast.classList.add("bad")
  toast.setAttribute("role", "alert")
  return show(document.querySelector(".toasts"), toast)
}

// Takes this message away: it is no longer true.
export function takeBackError(text) {
  for (const toast of document.querySelectorAll(".toast.bad")) if (toast.firstElementChild.textContent === text) toast.remove()
}

// Returns the messages of one answer as one, with the buttons and links of all.
export function joined(toasts) {
  const texts = toasts.map((toast) => wordsOf(toast.querySelector("span")))
  return toastOf(texts.join(" · "), ...toasts.flatMap((toast) => [...toast.querySelectorAll("button, a")]))
}

// A message that came with its page has its button within the sentence.
function wordsOf(span) {
  return [...span.childNodes].filter((node) => !node.matches?.("button, form, a")).map((node) => node.textContent).join("").trim()
}

function toastOf(text, ...actions) {
  const toast = document.createElement("div")
  const words = document.createElement("span")
  toast.className = "toast"
  words.textContent = text
  toast.append(words, ...actions)
  return toast
}

function show(region, toast) {
  for (const old of region.querySelectorAll(":scope > .toast")) old.remove() // files on their way stay
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
  const stay = () => clearTimeout(timer)
  const wait = () => {
    stay()
    if (!toast.matches(".bad, :hover, :focus-within")) timer = setTimeout(leave, STAYS)
  }

  toast.append(closeButton(label, leave))
  for (const arriving of ["pointerenter", "focusin"]) toast.addEventListener(arriving, stay)
  for (const leaving of ["pointerleave", "focusout"]) toast.addEventListener(leaving, () => setTimeout(wait)) // it has lost it then
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
