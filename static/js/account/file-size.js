// Says that a chosen file is too large before it is sent. Without scripts the server says so.
export default function fileSize(field) {
  field.addEventListener("change", () => {
    const isTooLarge = [...field.files].some(({ size }) => size > Number(field.dataset.most))
    field.setCustomValidity(isTooLarge ? field.dataset.tooLarge : "")
    field.reportValidity()
  })
}
