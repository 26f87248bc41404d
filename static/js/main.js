// Starts the behaviours named by data-behaviour="name other-name" on each element, now and whenever elements come (placed.js).
// A behaviour is a module of static/js/ whose default function takes the element. It is loaded when first needed.
import { later } from "./later.js";
import "./new-version.js";

const behaviours = {
  attach: () => import("./attach.js"),
  bell: () => import("./bell.js"),
  "card-actions": () => import("./card-actions.js"),
  "card-links": () => import("./card-links.js"),
  choose: () => import("./choose.js"),
  collapse: () => import("./collapse.js"),
  copy: () => import("./copy.js"),
  "done-circle": () => import("./done-circle.js"),
  drag: () => import("./drag.js"),
  "edit-in-place": () => import("./edit-in-place.js"),
  exports: () => import("./exports.js"),
  excerpts: () => import("./excerpts.js"),
  following: () => import("./following.js"),
  "forget-drafts": () => import("./forget-drafts.js"),
  "file-size": () => import("./file-size.js"),
  "follow-progress": () => import("./follow-progress.js"),
  "filter-board": () => import("./filter-board.js"),
  help: () => import("./help.js"),
  "keep-draft": () => import("./keep-draft.js"),
  "live-members": () => import("./live-members.js"),
  "list-menu": () => import("./list-menu.js"),
  "live-board": () => import("./live-board.js"),
  "move-to": () => import("./move-to.js"),
  menus: () => import("./menus.js"),
  nudge: () => import("./nudge.js"),
  "more-cards": () => import("./more-cards.js"),
  "moved-on": () => import("./moved-on.js"),
  "open-card": () => import("./open-card.js"),
  palette: () => import("./palette.js"),
  passkey: () => import("./passkey.js"),
  "passkey-sign-in": () => import("./passkey-sign-in.js"),
  pictures: () => import("./pictures.js"),
  "print-page": () => import("./print-page.js"),
  "quick-add": () => import("./quick-start.js"),
  "rich-text": () => import("./rich-text.js"),
  presence: () => import("./presence.js"),
  "push-here": () => import("./push-here.js"),
  reveal: () => import("./reveal.js"),
  roving: () => import("./roving.js"),
  "select-all": () => import("./select-all.js"),
  "select-text": () => import("./select-text.js"),
  selection: () => import("./selection.js"),
  "send-forms": () => import("./send-forms.js"),
  shortcuts: () => import("./shortcuts.js"),
  "suggest-people": () => import("./suggest-people.js"),
  star: () => import("./star.js"),
  theme: () => import("./theme.js"),
  "tile-menu": () => import("./tile-menu.js"),
  "time-zone": () => import("./time-zone.js"),
  upload: () => import("./upload.js"),
  times: () => import("./times.js"),
  toasts: () => import("./toasts.js"),
  undo: () => import("./undo.js"),
}

// Nobody needs these before the first sign of somebody on the page.
const LATER = ["attach", "done-circle", "excerpts", "filter-board", "following", "help", "move-to", "moved-on", "nudge", "pictures", "rich-text", "selection", "star"]
const wired = new WeakSet()

export function wire(root) {
  const asking = root.querySelectorAll("[data-behaviour]")
  for (const element of root.matches?.("[data-behaviour]") ? [root, ...asking] : asking) start(element)
}

function start(element) {
  if (wired.has(element)) return
  wired.add(element)
  const names = element.dataset.behaviour.trim().split(/\s+/)
  const begin = async (name) => (await loaded(behaviours[name])).default(element)
  for (const name of names.filter((one) => LATER.includes(one))) later(() => begin(name))
  const now = names.filter((one) => !LATER.includes(one)).map(begin)
  Promise.all(now).then(() => element.setAttribute("data-wired", ""))
}

// Asks again for a script that has not come: the connection may be back. That it is missing is said once (new-version.js).
async function loaded(load, wait = 1000) {
  try {
    return await load()
  } catch (error) {
    if (wait === 1000) reportError(error)
    await new Promise((resolve) => setTimeout(resolve, wait))
    return loaded(load, Math.min(2 * wait, 60_000))
  }
}

wire(document)
document.addEventListener("fragment:placed", ({ target }) => wire(target))
