// The menu of a list and the forms for its title and its limit are on the page once, as templates with the word ID in place
// of the list's id. They are filled when they are opened.
import { cardsOf } from "./place-lists.js";
import { isEditable } from "../card/edit-in-place.js";
import { agreed } from "../kit/ask.js";
import { closeMenu } from "../kit/menus.js";
import { sendValues } from "../kit/send-forms.js";

const MENU = ".list > header > .menu"
const FORM = ".list > header > .edit"

export default function listMenu(board) {
  board.addEventListener("toggle", ({ target }) => {
    if (target.matches(`${MENU}[open]`)) fill(target)
    else if (target.matches(`${FORM}:not([open])`)) leave(target)
  }, true)
  board.addEventListener("click", ({ target }) => {
    const entry = target.closest(`${MENU} [data-edit]`)
    const archives = target.closest(`${MENU} [data-archive-cards]`)
    if (archives) archiveCards(target.closest(".list"), archives.dataset.archiveCards)
    else if (entry) edit(target.closest(".list"), entry.dataset.edit)
    else if (target.matches(".list:has(> header > .menu) > header > h2") && isEditable(board)) edit(target.closest(".list"), "list-rename")
  })
}

function fill(menu) {
  const list = menu.closest(".list")
  if (!menu.querySelector(".items")) menu.append(filled("list-menu", list))
  menu.querySelector("[data-edit=list-cards-place]")?.toggleAttribute("hidden", !otherLists(list).length)
}

function edit(list, form) {
  const header = list.querySelector("header")
  header.querySelector(".menu").open = false
  header.querySelector(":scope > .edit")?.remove()
  const made = filled(form, list)
  header.insertBefore(made, header.querySelector(":scope > .button"))
  const [title, limit, into] = ["textarea", "[name=limit]", "select"].map((name) => header.querySelector(name))
  if (title) title.textContent = header.querySelector("h2").textContent
  if (limit) limit.defaultValue = list.dataset.limit
  into?.append(...otherLists(list))
  const field = title ?? limit ?? into
  field.focus()
  title?.select()
}

// Options for the lists of the page: the next one first, to which cards go most often.
function otherLists(list) {
  const all = [...list.parentElement.querySelectorAll(":scope > .list[id]")]
  const at = all.indexOf(list)
  return [...all.slice(at + 1), ...all.slice(0, at)].map((one) => new Option(one.querySelector("h2").textContent, idOf(one)))
}

// Asks first, and says how many there are, with those that a filter hides.
async function archiveCards(list, address) {
  const number = list.dataset.all ?? cardsOf(list)
  closeMenu(list.querySelector("header > .menu"))
  if (await agreed("archive-cards", { LIST: list.querySelector("h2").textContent, NUMBER: number })) sendValues(address, {})
}

function leave(form) {
  const summary = form.parentElement.querySelector(".menu > summary")
  if (document.activeElement === document.body || form.contains(document.activeElement)) summary.focus()
  form.remove()
}

function filled(template, list) {
  const made = document.getElementById(template).content.cloneNode(true)
  const id = idOf(list)
  for (const name of ["formaction", "href", "data-archive-cards"]) {
    for (const element of made.querySelectorAll(`[${name}*="/ID"]`)) element.setAttribute(name, element.getAttribute(name).replace("/ID", `/${id}`))
  }
  return made
}

const idOf = (list) => list.id.replace("list-", "")
