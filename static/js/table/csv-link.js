// Asks for the cards, too, that were marked as done here and still stand in their rows: a file has what is seen.
import { region } from "../my/rows.js";

export default function csvLink(main) {
  for (const pressed of ["click", "auxclick"]) main.addEventListener(pressed, ({ target }) => {
    const link = target.closest("a[download]")
    if (!link) return
    const address = new URL(link.href)
    address.searchParams.delete("also")
    for (const { dataset } of region().querySelectorAll("[data-ticked]")) address.searchParams.append("also", dataset.card)
    link.href = address
  })
}
