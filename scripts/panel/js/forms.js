// Screen readers read first what came of the form: the error summary, or the note that says what was done.
document.querySelector('main > [tabindex="-1"]')?.focus();

/** How long (ms) a second press of a button counts as one with the first. */
const PRESS_MS = 5_000;
let last;

// A form is busy from its submit on; a page that comes back from the browser's memory is not. The second click of a
// double click is dropped: its answer would take the place of the first one's, which says what was done.
document.addEventListener('submit', (event) => {
  const { target: form, submitter, timeStamp } = event;
  if (form.method !== 'post') return;
  if (form.ariaBusy && last?.submitter === submitter && timeStamp - last.timeStamp < PRESS_MS)
    event.preventDefault();
  else last = event;
  form.ariaBusy = 'true';
});
addEventListener('pageshow', () => {
  for (const form of document.forms) form.ariaBusy = null;
});
