// What a key means that was typed, whatever the keyboard.
const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable=false])"

const PAUSE = 2000 // milliseconds, after which somebody has seen that a field is gone
const last = { field: undefined, at: 0 } // the field in which a sign was typed, and when

document.addEventListener("keydown", ({ target, key, timeStamp, ctrlKey, metaKey }) => {
  if (!target.closest?.(TYPING)) return
  const isSign = [...key].length === 1 && !ctrlKey && !metaKey // others, as Enter, end what was typed
  Object.assign(last, { field: isSign ? target : undefined, at: timeStamp })
}, { capture: true })
document.addEventListener("pointerdown", () => { last.field = undefined }, { capture: true })

export function isTyping(event) {
  return event.isComposing || event.target.closest?.(TYPING) || isTypedOn(event)
}

// Whether the sign was meant for a field that somebody else has taken away from under the fingers.
function isTypedOn({ key, timeStamp }) {
  if (!last.field || last.field.isConnected || [...key].length > 1 || timeStamp - last.at > PAUSE) return false
  last.at = timeStamp
  return true
}

// Whether what came into a field is part of a word that is being composed, as Japanese is. On screens almost every word is.
export function isHalfTyped({ isComposing }) {
  return isComposing && matchMedia("(hover: hover)").matches
}

// Returns the key with what was held down: "e", "Shift+e", "Mod+e". Of a keyboard without Latin letters the place of the key
// counts. Other signs are taken as they come: ? needs Shift on many keyboards, and some need AltGr.
export function keyOf(event) {
  const letter = /^[a-z]$/i.test(event.key) ? event.key : /^[^\x00-\x7f]$/.test(event.key) && /^Key([A-Z])$/.exec(event.code)?.[1]
  const isPlain = !event.ctrlKey && !event.metaKey && !event.altKey
  if (!letter) return isPlain || event.getModifierState("AltGraph") ? event.key : ""
  const key = letter.toLowerCase()
  if (isPlain) return event.shiftKey ? `Shift+${key}` : key
  return (event.ctrlKey !== event.metaKey) && !event.altKey ? `Mod+${event.shiftKey ? "Shift+" : ""}${key}` : ""
}
