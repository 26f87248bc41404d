// Starts the API reference from the service's own description. Swagger UI is dark where <html> has the class dark-mode.
const root = document.getElementById("reference")
const { classList, dataset } = document.documentElement
const system = matchMedia("(prefers-color-scheme: dark)")

followTheme()
system.addEventListener("change", followTheme)
window.SwaggerUIBundle({
  url: root.dataset.description,
  domNode: root,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
})

function followTheme() {
  classList.toggle("dark-mode", dataset.theme === "dark" || (dataset.theme === "system" && system.matches))
}
