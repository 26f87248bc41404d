// Files that are pasted or dropped into the editor, or chosen by its button, are attached to the card. Pictures appear in the
// text where they were dropped, wherever that is by the time they have arrived.
import { filesIn, filesMeant, send } from "../card/attach.js";

const SHOWN = ["image/png", "image/jpeg", "image/gif", "image/webp"]
const section = () => document.querySelector("#open-card [data-upload]")

// Returns ProseMirror's properties. `editor` returns the editor, `paste` handles what holds no files.
export const filing = (editor, paste) => ({
  handlePaste: (view, event, slice) => attachAt(editor(), view.state.selection.from, filesMeant(event.clipboardData)) || paste(view, event, slice),
  handleDrop: (view, event) => {
    if (!event.dataTransfer?.types.includes("Files")) return false
    const at = view.posAtCoords({ left: event.clientX, top: event.clientY })?.pos ?? view.state.selection.from
    return attachAt(editor(), at, filesIn(event.dataTransfer))
  },
})

export function choosePicture(editor) {
  const chooser = Object.assign(document.createElement("input"), { type: "file", multiple: true, accept: SHOWN.join() })
  chooser.addEventListener("change", () => attachAt(editor, editor.state.selection.from, [...chooser.files]))
  chooser.click()
}

function attachAt(editor, at, files) {
  if (!files.length || !section()) return false
  let place = at
  let left = files.length
  const follow = ({ transaction: { mapping } }) => { place = mapping.map(place) }
  editor.on("transaction", follow)
  send(section(), files, (attachment, file) => {
    left -= 1
    if (!editor.isDestroyed && SHOWN.includes(file.type)) insert(editor, place, { attachment, alt: file.name })
    if (!left) editor.off("transaction", follow)
  })
  return true
}

function insert(editor, place, attrs) {
  if (editor.state.doc.resolve(place).parent.type.spec.code) return // code shows no pictures
  editor.chain().insertContentAt(place, { type: "image", attrs }, { updateSelection: false }).run()
}
