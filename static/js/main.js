// Starts the behaviours named by data-behaviour="name other-name" on each element, now and whenever elements come (placed.js).
// A behaviour is a module of static/js/ whose default function takes the element. It is loaded when first needed.
import { later } from "./later.js";
import { laterStyles } from "./kit/later-styles.js";
import "./kit/new-version.js";

const behaviours = {
  appearance: () => import("./account/appearance.js"),
  "ask-unsaved": () => import("./kit/ask-unsaved.js"),
  attach: () => import("./card/attach.js"),
  bell: () => import("./live/bell.js"),
  "card-actions": () => import("./board/card-actions.js"),
  "card-meant": () => import("./board/card-meant.js"),
  "card-links": () => import("./card/card-links.js"),
  choose: () => import("./kit/choose.js"),
  "card-offers": () => import("./card/card-offers.js"),
  "close-banner": () => import("./kit/close-banner.js"),
  collapse: () => import("./board/collapse.js"),
  copy: () => import("./kit/copy.js"),
  "csv-link": () => import("./table/csv-link.js"),
  "done-circle": () => import("./board/done-circle.js"),
  drag: () => import("./drag/drag.js"),
  "edit-label": () => import("./card/edit-label.js"),
  "edit-in-place": () => import("./card/edit-in-place.js"),
  exports: () => import("./live/exports.js"),
  excerpts: () => import("./board/excerpts.js"),
  "first-item": () => import("./card/first-item.js"),
  following: () => import("./live/following.js"),
  "forget-drafts": () => import("./editor/forget-drafts.js"),
  "file-size": () => import("./account/file-size.js"),
  "follow-progress": () => import("./live/follow-progress.js"),
  "filter-choices": () => import("./kit/filter-choices.js"),
  "filters-menu": () => import("./kit/filters-menu.js"),
  "filter-bar": () => import("./board/filter-bar.js"),
  "filter-board": () => import("./board/filter-board.js"),
  "head-search": () => import("./search/head-search.js"),
  help: () => import("./kit/help.js"),
  "hold-still": () => import("./editor/hold-still.js"),
  inbox: () => import("./inbox/inbox.js"),
  "inbox-keys": () => import("./inbox/inbox-keys.js"),
  "inbox-rows": () => import("./inbox/inbox-rows.js"),
  "keep-draft": () => import("./editor/keep-draft.js"),
  "live-members": () => import("./live/live-members.js"),
  "list-menu": () => import("./board/list-menu.js"),
  "live-board": () => import("./live/live-board.js"),
  "move-to": () => import("./board/move-to.js"),
  menus: () => import("./kit/menus.js"),
  "my-keys": () => import("./my/my-keys.js"),
  "my-rows": () => import("./my/my-rows.js"),
  "my-work": () => import("./my/my-work.js"),
  nudge: () => import("./board/nudge.js"),
  "more-cards": () => import("./board/more-cards.js"),
  "moved-on": () => import("./card/moved-on.js"),
  "order-items": () => import("./card/order-items.js"),
  "open-card": () => import("./card/open-card.js"),
  palette: () => import("./kit/palette.js"),
  passkey: () => import("./account/passkey.js"),
  "passkey-sign-in": () => import("./account/passkey-sign-in.js"),
  pictures: () => import("./card/pictures.js"),
  "print-page": () => import("./board/print-page.js"),
  "quick-add": () => import("./quick-add/quick-start.js"),
  "rich-text": () => import("./editor/rich-text.js"),
  "pick-by-name": () => import("./card/pick-by-name.js"),
  presence: () => import("./live/presence.js"),
  pull: () => import("./board/pull.js"),
  "push-here": () => import("./live/push-here.js"),
  reveal: () => import("./account/reveal.js"),
  roving: () => import("./board/roving.js"),
  "row-menu": () => import("./my/row-menu.js"),
  search: () => import("./search/search.js"),
  "select-all": () => import("./kit/select-all.js"),
  "select-text": () => import("./board/select-text.js"),
  selection: () => import("./board/selection.js"),
  "send-forms": () => import("./kit/send-forms.js"),
  share: () => import("./board/share.js"),
  shortcuts: () => import("./kit/shortcuts.js"),
  "suggest-people": () => import("./account/suggest-people.js"),
  star: () => import("./board/star.js"),
  "start-news": () => import("./inbox/start-news.js"),
  "table-grid": () => import("./table/table-grid.js"),
  "table-selection": () => import("./table/table-selection.js"),
  "tick-cards": () => import("./board/tick-cards.js"),
  "tile-menu": () => import("./board/tile-menu.js"),
  "try-calls": () => import("./api/try-calls.js"),
  "time-zone": () => import("./account/time-zone.js"),
  upload: () => import("./account/upload.js"),
  times: () => import("./kit/times.js"),
  toasts: () => import("./kit/toasts.js"),
  undo: () => import("./board/undo.js"),
}

// Nobody needs these before the first sign of somebody on the page.
const LATER = ["attach", "close-banner", "done-circle", "excerpts", "filter-board", "following", "head-search", "help", "move-to", "moved-on", "nudge", "pictures", "pull", "rich-text", "selection", "share", "star"]
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
  const now = Promise.all(names.filter((one) => !LATER.includes(one)).map(begin))
  later(() => now) // what is asked of these is held as well
  now.then(() => element.setAttribute("data-wired", ""))
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

later(laterStyles)
wire(document)
document.addEventListener("fragment:placed", ({ target }) => wire(target))

// A form that opens a page is sent once: it may end the session that a second click would come with. It can be sent again when one
// is back on its page, and after a while, in case no page came. Scripts that send forms themselves hear of it before the window.
let sent = new WeakSet()
window.addEventListener("pagehide", () => { sent = new WeakSet() })
window.addEventListener("submit", (event) => {
  const form = event.target
  if (event.defaultPrevented || form.method !== "post") return
  if (sent.has(form)) event.preventDefault()
  sent.add(form)
  setTimeout(() => sent.delete(form), 10_000)
})
