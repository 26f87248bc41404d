// Tells how well letters match a name, 0 for best, or undefined if the name has them not even in this order, as the server
// does (boards/reading/jump.py).
export function rank(letters, name) {
  const [wanted, text] = [letters, name].map((one) => one.normalize("NFKC").toLowerCase().trim().replace(/\s+/g, " "))
  if (text.startsWith(wanted)) return 0
  if (text.includes(` ${wanted}`)) return 1
  if (text.includes(wanted)) return 2
  if (wanted.split(" ").every((word) => text.includes(word))) return 3
  let at = 0
  for (const sign of text) if (sign === wanted.replaceAll(" ", "")[at]) at += 1
  return at >= wanted.replaceAll(" ", "").length ? 4 : undefined
}
