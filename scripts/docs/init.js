// A file of its own, so that the page works under a Content-Security-Policy without inline scripts.
window.SwaggerUIBundle({
  url: '/v1/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  persistAuthorization: true,
  validatorUrl: null,
});
