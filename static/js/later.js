// Starts what nobody needs before the first sign of somebody on the page: a pointer, a press, a key, the focus, a file that is dragged in, a step back in
// the browser's history. What is asked of it until it has come happens then.
const SIGNS = ["pointerover", "pointerdown", "keydown", "focusin", "dragenter"]
const PARTS = "[data-open-editor], [data-restore], [data-share], [data-attach], .done-circle, [data-filter-button], [data-clear-filter], "
  + "[data-rest], :is([data-behaviour=star], [data-behaviour=excerpts], [data-behaviour=close-banner])"
const PICTURES = "a.picture, a[data-look]"
const EVENTS = ["select", "move", "help", "filter", "apply-filter", "clear-filter"]
const IN_TURN = ["done", "assign-me", "due", "labels", "people", "cover", "archive"] // wait only behind others: a selection may be their card
const ASKS = ".prose, .prose :not(a, a *, label, label *, input)"
const asks = {
  click: ({ target, ctrlKey, metaKey, shiftKey }) => target.matches(ASKS) || target.closest(PARTS)
    || target.closest(ctrlKey || metaKey || shiftKey ? ".list > ol > .card" : PICTURES)
    || (held.length > 0 && target.closest(".views a")), // takes along what is being selected
  keydown: ({ target, key, altKey }) => altKey && key.startsWith("Arrow") && target.matches(".card > .title"),
  popstate: () => true,
  ...Object.fromEntries(EVENTS.map((name) => [`board:${name}`, () => true])),
  ...Object.fromEntries(IN_TURN.map((name) => [`board:${name}`, () => held.length > 0])),
}
const OPENING = ["board:move", "board:help", "board:filter"] // what is typed after these is meant for what they open
const FIELD = "input:not([type=checkbox], [type=radio]), textarea"
const starts = []
const held = [] // what was asked: the element, and an event like the one that came
const typed = [] // keys
let isAwake = false
let hasBegun = false
let hasAll = false

for (const sign of SIGNS) addEventListener(sign, wake, { capture: true, passive: true })
for (const name of Object.keys(asks)) addEventListener(name, hold, { capture: true })
if (document.activeElement !== document.body || bringsSelection()) wake() // somebody was there before this script

// Calls `start` at the first sign. It returns a promise.
export function later(start) {
  if (hasBegun) start().catch(reportError)
  else starts.push(start)
}

// Whether cards were selected in the view before (kit/selection-along.js).
function bringsSelection() {
  try {
    return "selection-along" in sessionStorage
  } catch {
    return false // the browser forbids it
  }
}

async function wake() {
  if (isAwake) return
  isAwake = true
  for (const sign of SIGNS) removeEventListener(sign, wake, { capture: true })
  await undefined // of a page where somebody was before, main.js asks for the parts right after this
  hasBegun = true
  await Promise.all(starts.map((start) => start().catch(reportError)))
  hasAll = true
  for (const name of Object.keys(asks)) removeEventListener(name, hold, { capture: true })
  for (const [target, event] of held) target.dispatchEvent(event)
  for (const key of typed) type(key, document.activeElement)
}

// Letters that no field takes are lost: as keys they would change the card.
export function type(key, field) {
  if (!field.matches(FIELD)) return
  if ([...key].length > 1) return void field.dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }))
  field.setRangeText(key, field.selectionStart, field.selectionEnd, "end")
  field.dispatchEvent(new Event("input", { bubbles: true }))
}

function hold(event) {
  if (hasAll) return
  if (event.type === "keydown" && held.some(([, { type: asked }]) => OPENING.includes(asked))) {
    event.preventDefault()
    event.stopImmediatePropagation()
    typed.push(event.key)
    return
  }
  if (!asks[event.type](event)) return
  event.preventDefault()
  event.stopImmediatePropagation()
  held.push([event.target, new event.constructor(event.type, event)])
  wake()
}
