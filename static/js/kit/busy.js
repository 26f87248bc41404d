// Tells whether somebody is working in an element: it has a field with the cursor or unsaved text, an open small form, or
// two versions to choose from. Live updates must not replace such elements. A form marked data-sent is being sent and no
// longer counts.
const FIELDS = "input:not([type=hidden]), textarea, select"

export function isBusy(node) {
  if (unsent(node, "details.edit[open], [data-force]").length > 0) return true
  return fieldsOf(node).some((field) => isUnsaved(field) || (field === document.activeElement && isText(field)))
}

// Whether something is being made in a card: a form is open or being sent, or a text is not saved.
export const isMaking = (card) => Boolean(card.querySelector("details.edit[open], [data-force], [data-sent]")) || hasUnsavedText(card)

// `but` are fields that do not count.
export function hasUnsavedText(node, but = ":not(*)") {
  return fieldsOf(node).some((field) => isText(field) && isUnsaved(field) && !field.matches(but))
}

// Replaces `old` with `fresh`. If somebody is working in a part of it, replaces everything around that part.
export function merge(old, fresh) {
  if (old.isEqualNode(fresh)) return
  if (!isBusy(old)) swap(old, fresh)
  else if (!old.matches(`details.edit, form, [data-force], ${FIELDS}`)) mergeChildren(old, fresh)
}

function mergeChildren(old, fresh) {
  for (const { name, value } of fresh.attributes) old.setAttribute(name, value)
  const left = new Set(old.children)
  let next = old.firstElementChild
  for (const child of [...fresh.children]) {
    const twin = [...left].find((one) => key(one) === key(child))
    if (!twin) {
      old.insertBefore(child, next)
      continue
    }
    left.delete(twin)
    next = twin.nextElementSibling
    merge(twin, child)
  }
  for (const child of left) if (!isBusy(child) && !child.matches("[data-moved-on]")) child.remove()
}

const key = (element) => element.dataset.part ?? (element.id || `${element.tagName}.${element.classList[0] ?? ""}`)

// Replaces an element. What was unfolded stays so, and the focus returns to the element with the same id, to its menu's
// button, or near it.
export function swap(old, fresh) {
  const open = [...old.querySelectorAll("details[open][id]:not(.edit)")].map((menu) => menu.id)
  const focused = old.contains(document.activeElement) ? document.activeElement : null
  const part = focused?.closest("[data-part]")?.dataset.part
  const menu = focused?.closest("details[id]")?.id
  for (const notice of fresh.querySelectorAll("[data-moved-on]")) notice.remove() // for somebody who is working here
  old.replaceWith(fresh)
  for (const id of open) document.getElementById(id)?.setAttribute("open", "")
  if (focused) refocus(fresh, focused.id, menu, part)
}

function refocus(fresh, id, menu, part) {
  const near = part && (fresh.dataset.part === part ? fresh : fresh.querySelector(`[data-part="${part}"]`))
  const around = near || fresh
  const ofMenu = document.getElementById(menu)?.querySelector("summary")
  const candidates = [document.getElementById(id), ofMenu, around.querySelector("summary"), ...around.querySelectorAll("button, a[href]")]
  candidates.find((candidate) => candidate?.checkVisibility())?.focus({ preventScroll: true })
}

function fieldsOf(node) {
  const inside = [...node.querySelectorAll(FIELDS)]
  return (node.matches(FIELDS) ? [node, ...inside] : inside).filter((field) => !field.closest("[data-sent]"))
}

function unsent(node, selector) {
  const inside = [...node.querySelectorAll(selector)]
  return (node.matches(selector) ? [node, ...inside] : inside).filter((one) => !one.querySelector("[data-sent]") && !one.closest("[data-sent]"))
}

// What is searched for is not lost with the page.
const isText = (field) => field.matches("textarea, input:not([type=checkbox], [type=radio], [data-search])")

function isUnsaved(field) {
  if (field.matches("[type=checkbox], [type=radio]")) return field.checked !== field.defaultChecked
  if (field.matches("select")) return field.selectedIndex !== Math.max(0, [...field.options].findLastIndex((option) => option.defaultSelected))
  return field.value !== field.defaultValue
}
