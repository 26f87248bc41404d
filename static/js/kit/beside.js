// Where a press began: whoever selects text in a dialog may let go of the mouse beside it, which a browser calls a click there.
let pressed

addEventListener("pointerdown", ({ target }) => { pressed = target }, true)

// Whether somebody clicked beside a dialog, on its backdrop, to close it.
export const isBeside = (dialog, { target }) => target === dialog && pressed === dialog
