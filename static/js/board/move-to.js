// "Move to…": cards go to any list of any board that the reader may change, at an exact place. Lists are found by typing.
import { cardsMeant } from "./cards-meant.js";
import combobox from "../kit/combobox.js";
import { lookUp } from "../kit/look-up.js";
import { moveTile } from "./optimistic.js";
import { sendCards } from "./send-cards.js";
import { isBeside } from "../kit/beside.js";
import { isHalfTyped } from "../kit/typed-keys.js";

export default function moveTo(dialog) {
  const page = document.querySelector("main")
  const [field, place] = dialog.querySelectorAll("input")
  const list = dialog.querySelector("[role=listbox]")
  const status = dialog.querySelector("[role=status]")
  // A finger chooses the list alone, so that the place can be chosen before the button moves the cards there.
  const { ask, stop, pending } = lookUp("/destinations", show, ({ words }) => say(words ?? page.dataset.failed))
  const options = combobox(field, list, (option, { pointerType }) => { if (pointerType !== "touch") move(option) }, pending)
  const tileInPlace = (card) => ("filter" in page.dataset ? undefined : tileOf(card)) // a filter does not show all places
  let cards = []
  let from // { board, list, send }: where the cards are, and what sends them elsewhere

  // A page of several boards says where the card is, and sends it.
  page.addEventListener("board:move", ({ detail: { card, ...own } }) => {
    const ids = cardsMeant(card)
    from = { board: page.dataset.board, list: tileOf(ids[0])?.dataset.list, send: (fields) => sendCards(ids, fields), ...own }
    open(ids)
  })
  field.addEventListener("input", (event) => { if (!isHalfTyped(event)) look() })
  field.addEventListener("compositionend", () => look())
  field.addEventListener("chosen", ({ detail: option }) => offer(option))
  dialog.addEventListener("close", stop)
  dialog.addEventListener("click", (event) => {
    const where = event.target.closest("[data-where]")?.dataset.where
    if (where) place.value = where === "top" ? 1 : place.max
    if (isBeside(dialog, event) || event.target.closest("[data-close]")) dialog.close()
  })
  dialog.querySelector("form").addEventListener("submit", (event) => {
    event.preventDefault()
    event.stopPropagation() // send-forms.js
    move(options.chosen())
  })

  function open(ids) {
    cards = ids
    const { one, many } = dialog.dataset
    dialog.querySelector("h2").textContent = cards.length > 1 ? many.replace("NUMBER", cards.length) : one
    field.value = ""
    list.replaceChildren()
    dialog.showModal()
    look({ now: true })
  }

  function look(how) {
    ask({ q: field.value, board: from.board }, how)
  }

  function show(elements) {
    list.replaceChildren(...elements)
    const own = !field.value && document.getElementById(`into-${from.list}`)
    if (own) options.choose(tileInPlace(cards[0]) ? own : listBeside(own))
    else options.refresh({ first: true })
    say(list.firstElementChild ? "" : dialog.dataset.nothing)
  }

  // Offers the places of the chosen list, beginning with the card's own.
  function offer(option) {
    const inside = cards.filter((card) => option && (tileOf(card)?.dataset ?? from).list === option.dataset.list)
    const places = Number(option?.dataset.count ?? 0) - inside.length + 1
    const tile = inside.includes(cards[0]) && tileInPlace(cards[0])
    const own = tile ? [...tile.parentElement.querySelectorAll(".card")].indexOf(tile) + 1 : 1
    Object.assign(place, { max: places, value: Math.min(own, places), disabled: !option })
    dialog.querySelector("[data-of]").textContent = dialog.dataset.of.replace("ALL", places)
    dialog.querySelector("[data-elsewhere]").hidden = !option || option.dataset.board === from.board
  }

  async function move(option) {
    if (!option || !place.reportValidity()) return
    dialog.close()
    showAtOnce(option.dataset.list, place.valueAsNumber)
    await from.send({ list: option.dataset.list, position: place.valueAsNumber })
  }

  // Does not show what lies in the part of a list that is not loaded, nor other boards.
  function showAtOnce(id, at) {
    const into = document.getElementById(`list-${id}`)
    const tiles = [...(into?.querySelectorAll("ol > .card") ?? [])].filter((tile) => !cards.includes(tile.id.slice("card-".length)))
    if (!into || (at > tiles.length && into.dataset.more > 0)) return
    for (const tile of cards.map(tileOf)) if (tile) moveTile(tile, into, tiles[at - 1] ?? null)
  }

  function say(words) {
    status.textContent = words
  }
}

// Where a page shows no places, a card would go to the top of its own list by chance.
function listBeside(option) {
  return [option.nextElementSibling, option.previousElementSibling].find((one) => one?.matches("[role=option]")) ?? option
}

const tileOf = (card) => document.getElementById(`card-${card}`)
