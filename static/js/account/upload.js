// Sends a form with a file and shows how much of it has gone. Cancelling stops it; sending again tries again.
import { tellPlaced } from "../kit/placed.js";

export default function upload(form) {
  const bar = form.querySelector("progress")
  const said = form.querySelector("[data-part=said]")
  const stop = form.querySelector("[data-part=stop]")

  form.addEventListener("submit", (event) => {
    if (!form.checkValidity()) return
    event.preventDefault()
    send()
  })

  function send() {
    const request = new XMLHttpRequest()
    request.open("POST", form.action)
    request.upload.addEventListener("progress", ({ loaded, total }) => {
      bar.value = total ? loaded / total : 0
      if (loaded === total) said.textContent = said.dataset.sent
    })
    request.addEventListener("load", () => answered(request))
    request.addEventListener("error", () => form.submit()) // the browser says in its own words what is wrong
    request.addEventListener("abort", () => {
      show(false)
      form.querySelector("button.primary").focus()
    })
    stop.onclick = () => request.abort()
    show(true)
    request.send(new FormData(form))
  }

  function answered(request) {
    if (request.status < 300 && new URL(request.responseURL).pathname !== new URL(form.action).pathname) {
      show(false) // for the way back
      location.assign(request.responseURL)
      return
    }
    const page = new DOMParser().parseFromString(request.responseText, "text/html")
    const main = page.querySelector("main")
    if (!main) return form.submit() // a proxy said no, in words of its own
    document.title = page.title
    document.querySelector("main").replaceWith(main)
    tellPlaced(main)
    main.querySelector("[aria-invalid=true], input[type=file]")?.focus()
  }

  function show(isSending) {
    bar.hidden = stop.hidden = !isSending
    bar.value = 0
    said.textContent = ""
    form.querySelector("button.primary").disabled = isSending
  }
}
