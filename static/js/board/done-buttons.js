// Of the two buttons of a selection that concern its being done, shows the one that changes something: Reopen if all cards are done.
export function showDoneButtons(bar, areDone) {
  const [done, reopen] = ["done=1", "done=0"].map((change) => bar.querySelector(`[data-change="${change}"]`))
  const [shown, other] = areDone ? [reopen, done] : [done, reopen]
  const hadFocus = other === document.activeElement
  shown.hidden = false
  if (hadFocus) shown.focus()
  other.hidden = true
}
