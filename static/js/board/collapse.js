// Collapses lists for the reader alone. The page comes with them collapsed (web/boards/my_view.py); lists that come or
// change later are the same for all readers, so they are collapsed here.
export default function collapse(board) {
  const collapsed = new Set(board.dataset.collapsed.split(" ").filter(Boolean))
  let keep, coming // from keep.js: what it exports, and its import until then

  board.addEventListener("fragment:placed", ({ target }) => { if (target.matches(".list[id]")) show(target) })
  // Before a click on the title renames the list: of a collapsed one it is a click on a button.
  board.addEventListener("click", (event) => {
    const list = event.target.closest(".list[id]")
    const isAsked = event.target.closest("[data-collapse]") || event.target.closest(".list[data-collapsed] > header")
    if (!list || !isAsked) return
    event.preventDefault()
    event.stopPropagation()
    toggle(list)
  }, true)

  async function toggle(list) {
    const id = idOf(list)
    const isCollapsed = !collapsed.has(id)
    set(id, isCollapsed)
    list.querySelector("header > .menu")?.removeAttribute("open")
    list.querySelector(".fold").focus({ preventScroll: true })
    if (!isCollapsed) list.scrollIntoView({ block: "nearest", inline: "nearest" })
    // Once the script is here it hears of a click at once, so before an earlier one fails: it must know that one to know what the
    // server has.
    if (!keep) await (coming ??= import("./keep.js").then((script) => { keep = script.keep }).finally(() => { coming = undefined }))
    await keep(`/list/${id}/collapse`, "collapsed", isCollapsed, (isKept) => set(id, isKept))
  }

  function set(id, isCollapsed) {
    if (isCollapsed) collapsed.add(id)
    else collapsed.delete(id)
    const list = document.getElementById(`list-${id}`)
    if (list) show(list)
    board.dispatchEvent(new CustomEvent("board:collapsed"))
  }

  function show(list) {
    const isCollapsed = collapsed.has(idOf(list))
    const button = list.querySelector(".fold")
    list.toggleAttribute("data-collapsed", isCollapsed)
    button.setAttribute("aria-expanded", String(!isCollapsed))
    button.value = Number(!isCollapsed)
  }
}

const idOf = (list) => list.id.slice("list-".length)
