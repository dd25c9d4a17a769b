// Opens the browser's print dialogue. Without JavaScript the button is hidden.
for (const button of document.querySelectorAll('[data-print]')) {
  button.hidden = false;
  button.addEventListener('click', () => print());
}
