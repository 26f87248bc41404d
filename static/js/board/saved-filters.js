// The filters that the reader has saved by name: applies them, and marks the one that is applied.
import { openClicked } from "../kit/open-form.js";
import { showToast } from "../kit/toasts.js";

// `applied` returns the query that was asked for last, `change` shows the cards that a query keeps, `renew` has the form
// of the filter show them. Returns { apply, mark }: `mark` marks the saved filter that is applied.
export function savedFilters(panel, { applied, change, renew }) {
  panel.addEventListener("click", (event) => {
    const link = event.target.closest("[data-apply-filter]")
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    apply(link.dataset.applyFilter)
  })
  panel.addEventListener("click", (event) => openClicked(event, ".save-filter"))
  panel.addEventListener("submit", ({ target: { elements } }) => { if (elements.query) elements.query.value = applied() })
  panel.addEventListener("fragment:placed", mark)
  return { apply, mark }

  function apply(query, note) {
    if (!isSame(query, applied())) change(query)
    if (note) showToast(note)
    renew()
  }

  function mark() {
    for (const link of panel.querySelectorAll("[data-apply-filter]")) {
      if (isSame(link.dataset.applyFilter, applied())) link.setAttribute("aria-current", "true")
      else link.removeAttribute("aria-current")
    }
  }
}

const isSame = (one, other) => sorted(one) === sorted(other)
const sorted = (query) => [...new URLSearchParams(query)].map(String).sort().join("&")
