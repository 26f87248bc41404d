// Files for cards: chosen by the button, dropped on the open card or on a tile, pasted while a card is open. What is dropped
// anywhere else on the page does not replace the page.
import { showError } from "../kit/toasts.js";

const PLAIN = "form[data-editor] textarea:not([name=document])"
const words = () => document.getElementById("uploads").dataset
const section = () => document.querySelector("#open-card [data-upload]")

export default function attach(board) {
  const dialog = document.getElementById("card-dialog")
  const chooser = Object.assign(document.createElement("input"), { type: "file", multiple: true })
  let target // the dialog or the tile under what is dragged

  dialog.dataset.drop = words().drop
  chooser.addEventListener("change", () => {
    send(section(), [...chooser.files])
    chooser.value = ""
  })
  board.addEventListener("click", ({ target: clicked }) => { if (clicked.closest("[data-attach]")) chooser.click() })
  for (const name of ["dragenter", "dragover"]) document.addEventListener(name, over)
  document.addEventListener("dragleave", ({ relatedTarget }) => { if (!relatedTarget) aim() })
  document.addEventListener("drop", drop)
  document.addEventListener("paste", paste)

  function over(event) {
    if (!hasFiles(event.dataTransfer)) return
    event.preventDefault()
    aim(placeOf(event.target))
    event.dataTransfer.dropEffect = target ? "copy" : "none"
  }

  function aim(at) {
    if (target === at) return
    target?.classList.remove("drop-here")
    target = at
    target?.classList.add("drop-here")
  }

  function placeOf(element) {
    if (dialog.open) return dialog.contains(element) && section() ? dialog : undefined
    return board.dataset.role === "viewer" ? undefined : element.closest?.(".list > ol > .card") ?? undefined
  }

  function drop(event) {
    const at = placeOf(event.target)
    aim()
    if (event.defaultPrevented || !hasFiles(event.dataTransfer)) return // the editor took them
    event.preventDefault()
    if (!at) return
    const files = filesIn(event.dataTransfer)
    if (at !== dialog) sendTo(at, files)
    else if (!intoText(event.target, files)) send(section(), files)
  }

  function paste(event) {
    const files = event.defaultPrevented || !section() ? [] : filesMeant(event.clipboardData)
    if (!files.length) return
    event.preventDefault()
    if (!intoText(event.target, files)) send(section(), files)
  }

  // Pictures in a comment's field are shown by its Markdown.
  function intoText(element, files) {
    const field = element.closest?.(PLAIN)
    if (!field || !section()) return false
    send(section(), files, (id, file) => {
      if (!field.isConnected || !file.type.startsWith("image/")) return
      field.setRangeText(`![${file.name.replace(/[[\]\\]/g, "\\$&")}](/attachments/${id})`, field.selectionStart, field.selectionEnd, "end")
      field.dispatchEvent(new Event("input", { bubbles: true }))
    })
    return true
  }
}

const hasFiles = (data) => data?.types.includes("Files")

// Text that was copied comes with a picture of itself from some programs: then the text is meant. The names of files do not count.
export function filesMeant(data) {
  const files = data ? filesIn(data) : []
  const text = data?.getData("text/plain").trim()
  return text && !files.every(({ name }) => text.includes(name)) ? [] : files.map(named)
}

// Pictures from the clipboard all have the same name.
const named = (file) => (file.name === "image.png" ? new File([file], `image-${new Date().toISOString().slice(0, 19).replace(/\D/g, "")}.png`, { type: file.type }) : file)

export function filesIn(data) {
  const items = [...data?.items ?? []].filter(({ kind }) => kind === "file")
  const folders = items.filter((item) => item.webkitGetAsEntry?.()?.isDirectory)
  if (folders.length) showError(words().folders)
  return items.filter((item) => !folders.includes(item)).map((item) => item.getAsFile()).filter(Boolean)
}

// `then` is called with the id of each attachment and its file. `place` has the address to send to and the most bytes.
export async function send(place, files, then) {
  if (!files.length) return
  const { upload } = await import("./uploads.js")
  upload(place.dataset.upload, Number(place.dataset.most) || Infinity, files, then)
}

// A tile does not know how large files may be, so its card is read first.
async function sendTo(tile, files) {
  const { fetchFragments } = await import("../kit/fetch-fragments.js")
  const card = tile.id.replace("card-", "")
  try {
    const [shown] = await fetchFragments(`/card/${card}`, new AbortController().signal)
    const place = shown.querySelector("[data-upload]")
    if (place) await send(place, files)
  } catch (error) {
    showError(error.words ?? tile.closest("main").dataset.failed)
  }
}
