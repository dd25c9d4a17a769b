// Goes on with a change of many products without a press of its button: src/panel/developer/products/list.
const field = document.querySelector('[data-continue]');
if (field && !document.getElementById('summary')) field.form.requestSubmit();
