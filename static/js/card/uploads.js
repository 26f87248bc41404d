// Sends files to cards, two at a time, and places what the server answers. A file that failed is sent again on demand.
import { announce } from "../kit/announce.js";
import { fragmentsOf, place } from "../board/place.js";
import { refusalIn } from "../kit/refusals.js";
import { headersOf } from "../kit/send-forms.js";
import { showToast } from "../kit/toasts.js";
import { addRow, sizeInWords, words } from "./upload-rows.js";

const AT_ONCE = 2
const waiting = []
const sending = new Set()
let attached = 0 // since the queue was last empty

addEventListener("beforeunload", (event) => { if (sending.size || waiting.length) event.preventDefault() })

// `most` is how many bytes a file may have. `then` is called with the id of each attachment and its file.
export function upload(address, most, files, then) {
  for (const file of files) {
    const one = { address, file, then, row: addRow(file.name, { cancel: () => cancel(one), again: () => add(one) }) }
    if (file.size <= most) add(one)
    else one.row.fail(words().tooLarge.replace("{size}", sizeInWords(file.size)).replace("{most}", sizeInWords(most)), { isFinal: true })
  }
}

function add(one) {
  one.row.wait()
  waiting.push(one)
  next()
}

function next() {
  while (sending.size < AT_ONCE && waiting.length) send(waiting.shift())
  if (sending.size || !attached) return
  if (attached > 1) showToast(words().all.replace("{count}", attached))
  attached = 0
}

function cancel(one) {
  const at = waiting.indexOf(one)
  if (at >= 0) waiting.splice(at, 1)
  one.request?.abort()
  one.row.remove()
  announce(words().cancelled.replace("{name}", one.file.name))
}

function send(one) {
  const request = one.request = new XMLHttpRequest()
  const body = new FormData()
  body.append("file", one.file, one.file.name)
  sending.add(one)
  request.upload.addEventListener("progress", ({ loaded, total }) => one.row.progress(loaded / total))
  request.addEventListener("loadend", () => {
    sending.delete(one)
    finish(one)
    next()
  })
  request.open("POST", one.address)
  for (const [name, value] of Object.entries(headersOf(document.querySelector("main.board")))) request.setRequestHeader(name, value)
  request.setRequestHeader("HX-Request", "true")
  one.isCanceled = false
  one.row.progress(0)
  request.addEventListener("abort", () => { one.isCanceled = true })
  request.send(body)
}

function finish(one) {
  const { request, row, file, then } = one
  if (one.isCanceled) return
  const id = request.getResponseHeader("X-Attachments")
  if (request.status !== 200 || !id) return row.fail(whyNot(request))
  attached += 1
  row.remove() // a message says that it is attached, and the card shows it
  const isAlone = attached === 1 && !sending.size && !waiting.length
  for (const element of fragmentsOf(request.responseText)) if (isAlone || !element.matches(".toast")) place(element)
  const named = request.getResponseHeader("X-Changes")
  if (named) document.querySelector("main.board").dispatchEvent(new CustomEvent("board:changed", { detail: named }))
  then?.(id, file)
}

function whyNot(request) {
  if (!request.status) return words().lost
  if (request.status === 413) return words().tooLargeHere
  return refusalIn(request)?.words ?? words().failed
}
