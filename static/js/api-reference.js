// Starts the API reference from the service's own description.
const root = document.getElementById("reference")
window.SwaggerUIBundle({
  url: root.dataset.description,
  domNode: root,
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: false,
})
