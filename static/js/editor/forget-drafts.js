// Signing out forgets all texts of this person that were typed and not saved.
import { forgetDrafts } from "./drafts.js";

export default function forgetOnSubmit(form) {
  form.addEventListener("submit", () => forgetDrafts(form.dataset.user))
}
