// What a key means that was typed, whatever the keyboard.
const TYPING = "input, textarea, select, [contenteditable]:not([contenteditable=false])"

export function isTyping({ target, isComposing }) {
  return isComposing || target.closest?.(TYPING)
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
