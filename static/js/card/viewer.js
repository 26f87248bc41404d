// Shows a picture of the open card large, with the ones before and after it.
const dialog = document.getElementById("viewer")
const [heading, count, download, before] = ["h2", ".count", "[data-download]", "[data-step]"].map((one) => dialog.querySelector(one))
const image = document.createElement("img")
let all = [] // { file, name }
let at = 0
let from // the link that was clicked

before.after(image)
dialog.addEventListener("click", ({ target }) => {
  const button = target.closest("[data-step]")
  if (button) step(Number(button.dataset.step))
  else if (target.closest("[data-close]") || target.matches("dialog, .stage")) dialog.close()
})
dialog.addEventListener("keydown", (event) => {
  const forward = getComputedStyle(dialog).direction === "rtl" ? "ArrowLeft" : "ArrowRight"
  if (event.key.startsWith("Arrow")) step(event.key === forward ? 1 : /Left|Right/.test(event.key) ? -1 : 0)
  event.stopPropagation() // the shortcuts of the card
})
dialog.addEventListener("close", () => {
  image.removeAttribute("src")
  from?.focus({ preventScroll: true })
})
dialog.addEventListener("cancel", (event) => event.stopPropagation())
image.addEventListener("error", () => { // made beside the request: until it is there, the file itself
  const { file } = all[at] ?? {}
  if (file && image.src.endsWith("/preview")) image.src = `${file}?inline`
})

// `link` is the one that was clicked: in a text, or in the list of files.
export function view(link) {
  const links = [...document.querySelectorAll("#open-card :is(a.picture, a[data-look])")]
  all = [...new Map(links.map((one) => [fileOf(one), { file: fileOf(one), name: nameOf(one) }])).values()]
  from = link
  at = all.findIndex(({ file }) => file === fileOf(link))
  show()
  dialog.showModal()
  heading.focus()
}

const fileOf = (link) => link.dataset.look ?? link.getAttribute("href")

// The list of files knows the names. In a text there is a description alone.
function nameOf(link) {
  const listed = document.querySelector(`#open-card a[data-look="${CSS.escape(fileOf(link))}"]`)
  return listed?.dataset.name ?? link.querySelector("img")?.alt ?? ""
}

function step(by) {
  at = (at + by + all.length) % all.length
  if (by) show()
}

function show() {
  const { file, name } = all[at]
  image.src = `${file}/preview`
  image.alt = heading.textContent = name
  count.textContent = all.length > 1 ? `${at + 1} / ${all.length}` : ""
  download.href = file
  download.download = name
  for (const button of dialog.querySelectorAll("[data-step]")) button.hidden = all.length < 2
}
