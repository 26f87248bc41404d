// The members that are offered behind an @, in the editor and in plain fields. The text keeps the focus, and names the chosen
// one to screen readers.
const AT_MOST = 8

export const BEHIND_AT = /(?:^|[\s(])@([\p{L}\p{N}._'-]{0,30})$/u

// `take` gets the id and the name of a member, `dismiss` is called by Escape.
export function peopleList(list, text, { take, dismiss }) {
  text.setAttribute("aria-haspopup", "listbox")
  list.addEventListener("mousedown", (event) => {
    event.preventDefault()
    choose(event.target.closest("[role=option]"))
  })
  return { show, close, handleKey }

  // Returns whether there is anybody to offer.
  function show(typed) {
    const found = membersNamed(typed)
    if (!found.length) return close()
    list.replaceChildren(...found.map(option))
    list.hidden = false
    mark(list.firstElementChild)
    return true
  }

  function close() {
    list.hidden = true
    text.removeAttribute("aria-activedescendant")
    return false
  }

  function mark(chosen) {
    for (const one of list.children) one.setAttribute("aria-selected", String(one === chosen))
    text.setAttribute("aria-activedescendant", chosen.id)
    chosen.scrollIntoView({ block: "nearest" })
  }

  // Returns whether the key was for the list.
  function handleKey(event) {
    if (list.hidden) return false
    const chosen = list.querySelector("[aria-selected=true]")
    if (event.key === "ArrowDown") mark(chosen.nextElementSibling ?? list.firstElementChild)
    else if (event.key === "ArrowUp") mark(chosen.previousElementSibling ?? list.lastElementChild)
    else if (event.key === "Enter" && !event.ctrlKey && !event.metaKey) choose(chosen)
    else if (event.key === "Tab" && !event.shiftKey) choose(chosen)
    else if (event.key === "Escape") {
      close()
      dismiss()
      event.stopPropagation()
    } else return false
    return true
  }

  function choose(chosen) {
    if (!chosen) return
    close()
    take(chosen.dataset.user, chosen.dataset.name)
  }
}

export function members() {
  return [...document.querySelectorAll("#members [data-user]")].map((member) => {
    const face = member.querySelector("[title]")
    return { id: member.dataset.user, name: face.dataset.name ?? face.title } // presence.js adds to the title
  })
}

// Those whose name, or one word of it, begins with what was typed.
function membersNamed(typed) {
  const wanted = typed.toLocaleLowerCase()
  const fits = (name) => [name, ...name.split(/\s+/)].some((word) => word.toLocaleLowerCase().startsWith(wanted))
  return members().filter(({ name }) => fits(name)).slice(0, AT_MOST)
}

function option({ id, name }) {
  const row = Object.assign(document.createElement("li"), { id: `person-${id}`, textContent: name, dir: "auto" })
  row.setAttribute("role", "option")
  Object.assign(row.dataset, { user: id, name })
  return row
}
