// The list of files on their way, in a corner of the page. It stands with the messages, which are moved into an open dialog.
const template = () => document.getElementById("uploads")

export const words = () => template().dataset

export function sizeInWords(bytes) {
  const [unit, size] = bytes < 1e6 ? ["kilobyte", bytes / 1024] : ["megabyte", bytes / 1024 ** 2]
  return new Intl.NumberFormat(document.documentElement.lang, { style: "unit", unit, maximumFractionDigits: 1 }).format(size)
}

export function addRow(name, { cancel, again }) {
  const row = template().content.querySelector(".upload").cloneNode(true)
  const [state, bar] = [row.querySelector(".state"), row.querySelector("progress")]
  const [retry, stop] = [row.querySelector("[data-again]"), row.querySelector("[data-cancel]")]
  row.querySelector(".name").textContent = name
  bar.setAttribute("aria-label", name)
  stop.setAttribute("aria-label", stop.dataset.label.replace("{name}", name))
  stop.addEventListener("click", cancel)
  retry.addEventListener("click", () => {
    stop.focus()
    again()
  })
  list().append(row)
  return { wait, progress, fail, remove }

  function wait() {
    say(words().waiting)
    bar.hidden = false
    bar.value = 0
  }

  function progress(part) {
    bar.value = part
    say(new Intl.NumberFormat(document.documentElement.lang, { style: "percent" }).format(part))
  }

  function fail(why, { isFinal = false } = {}) {
    say(why, "alert")
    row.classList.add("failed")
    bar.hidden = true
    retry.hidden = isFinal
  }

  function say(text, role = "") {
    row.classList.remove("failed")
    retry.hidden = true
    state.textContent = text
    if (role) state.setAttribute("role", role)
    else state.removeAttribute("role")
  }

  function remove() {
    const held = row.contains(document.activeElement)
    const near = row.nextElementSibling ?? row.previousElementSibling
    const around = row.closest(".uploads")
    row.remove()
    if (near && held) near.querySelector("[data-cancel]").focus()
    if (!near) around?.remove()
    if (!near && held) document.getElementById("attach-files")?.focus()
  }
}

function list() {
  const shown = document.querySelector(".uploads ul")
  if (shown) return shown
  const tray = template().content.querySelector(".uploads").cloneNode(true)
  document.querySelector(".toasts").prepend(tray)
  return tray.querySelector("ul")
}
