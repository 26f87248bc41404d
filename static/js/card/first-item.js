// Opens the form for the first item of a checklist as soon as it is made: what follows its title is typed into that.
export default function firstItem(form) {
  let before

  form.addEventListener("submit", () => { before = new Set(parts()) })
  form.addEventListener("form:saved", () => {
    const made = parts().findLast((part) => !before.has(part))
    document.querySelector(`[data-part="${made}"] > [data-quick] > summary`)?.click()
  })
}

const parts = () => [...document.querySelectorAll("#open-card .checklist")].map((checklist) => checklist.dataset.part)
