// Screen readers read the error summary first.
document.getElementById('summary')?.focus();

/** How long (ms) a second press of a button counts as one with the first. */
const PRESS_MS = 5_000;
let last;

// A form is busy from its submit on; a page that comes back from the browser's memory is not. The second click of a
// double click is dropped: its answer would take the place of the first one's, which says what was done.
document.addEventListener('submit', (event) => {
  const { target, submitter, timeStamp } = event;
  if (target.method !== 'post') return;
  const isSecond = last?.submitter === submitter && timeStamp - last.timeStamp < PRESS_MS;
  if (isSecond && target.hasAttribute('aria-busy')) event.preventDefault();
  else last = event;
  target.setAttribute('aria-busy', 'true');
});
addEventListener('pageshow', () => {
  for (const form of document.querySelectorAll('form[aria-busy]')) form.removeAttribute('aria-busy');
});
