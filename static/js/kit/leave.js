// Takes a row away. If it had the focus, the link of the row beside it gets that, or else `otherwise`.
export function leave(row, otherwise = document.getElementById("main")) {
  const next = row.nextElementSibling ?? row.previousElementSibling
  const hadFocus = row.contains(document.activeElement)
  row.remove()
  if (hadFocus) (next?.querySelector("a.told, a.title") ?? otherwise).focus({ preventScroll: true })
}
