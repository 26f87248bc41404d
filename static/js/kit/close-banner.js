// Closes the operators' banner at once. Without this script its form does, and the page comes anew.
export default function closeBanner(form) {
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" }).catch(() => {}) // it comes back then
    form.closest(".banner").remove()
    document.querySelector("#main")?.focus({ preventScroll: true })
  })
}
