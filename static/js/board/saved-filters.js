// The filters that the reader has saved by name: applies them, and marks the one that is applied.
import { fetchFragments } from "../kit/fetch-fragments.js";
import { openClicked } from "../kit/open-form.js";
import { showToast } from "../kit/toasts.js";

// `applied` returns the query that was asked for last, `change` shows the cards that a query keeps, `form` is the form of the
// filter in the panel. Returns { apply, mark }: `mark` marks the saved filter that is applied.
export function savedFilters(board, panel, { applied, change, fail, form }) {
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

  // Of the open panel only the form is read anew, so that the focus stays where it is.
  async function apply(query, note) {
    if (!isSame(query, applied())) change(query)
    if (note) showToast(note)
    if (panel.hidden) return
    try {
      const elements = await fetchFragments(`/board/${board.dataset.board}/filter?${query}`, new AbortController().signal)
      panel.querySelector(form)?.replaceWith(elements.find((element) => element.matches(form)))
    } catch (error) {
      fail(error)
    }
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
