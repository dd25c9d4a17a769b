// Screen readers read the error summary first.
document.getElementById('summary')?.focus();

// A form is busy from its submit on; a page that comes back from the browser's memory is not.
document.addEventListener('submit', ({ target }) => {
  if (target.method === 'post') target.setAttribute('aria-busy', 'true');
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[aria-busy]')) form.removeAttribute('aria-busy');
});
