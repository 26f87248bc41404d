// Quick add of *My work*: each Enter adds a card and the field stays. What #label, @person and a date in words would set is shown
// as chips, as on boards, which can be taken off. What is entered before the script for words has come is read when it has.
export function myAdd(form, { week, zone }, send) {
  const { title, board } = form.elements
  const chips = form.querySelector(".chips"), suggested = form.querySelector(".suggested")
  const declined = new Set() // keys of chips that were taken off
  const refused = [] // texts, with the keys of their chips that were taken off, while the field has another one
  let loading, words // once they have come
  let shown = "" // the text whose suggestions were shown

  form.addEventListener("focusin", async () => (await load()).forgetBoards())
  form.addEventListener("submit", add)
  title.addEventListener("input", update)
  board.addEventListener("change", update)
  title.addEventListener("keydown", (event) => { if (!event.isComposing && words?.isForSuggestions(event, title, suggested)) event.preventDefault() })
  form.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.defaultPrevented && !event.isComposing) document.activeElement.blur() // for the keys of the page
  })
  title.addEventListener("blur", () => words?.hideSuggestions(title, suggested))
  suggested.addEventListener("pointerdown", (event) => {
    event.preventDefault() // the field keeps the focus
    const option = event.target.closest("[role=option]")
    if (option) words.take(title, option)
  })
  chips.addEventListener("click", ({ target }) => {
    const chip = target.closest(".chip")
    if (!chip) return
    declined.add(chip.dataset.key)
    update()
    title.focus()
  })
  if (title.value) update() // typed before this script had come

  async function load() {
    try {
      loading ??= import("./my-words.js").then(({ default: myWords }) => myWords({ week, zone }))
      return words = await loading
    } catch (error) {
      loading = undefined // for the next letter
      throw error
    }
  }

  async function update() {
    const text = title.value, into = board.value, { thingsFor, show } = await load(), things = await thingsFor(text, into)
    if (title.value !== text || board.value !== into) return // which is shown later
    show({ title, chips, suggested }, things, declined)
    shown = text
  }

  async function add(event) {
    event.preventDefault()
    const text = title.value, isShown = text === shown, into = board.value, kept = new Set(declined)
    if (!text.trim()) return
    fill(refused.shift())
    const said = valuesOf(text, into, kept, isShown)
    title.focus() // for the next one, also from the button
    title.dispatchEvent(new Event("input")) // its chips are shown, and the refusal of the one before leaves
    if (await send(form.action, said.then((values) => ({ ...values, board: into })), { field: title })) return
    if (title.value) refused.push([text, kept])
    else fill([text, kept])
    update()
  }

  function fill([text, keys] = ["", []]) {
    title.value = text
    declined.clear()
    for (const key of keys) declined.add(key)
  }

  // Without the script for words, texts are added as they are.
  async function valuesOf(text, ...more) {
    try {
      return await (await load()).valuesOf(text, ...more)
    } catch (error) {
      reportError(error)
      return { title: text }
    }
  }
}
