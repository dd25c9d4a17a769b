// Asks before a page is left whose form has changes that are not saved: Form in src/web/ui/form.tsx.
const forms = [...document.querySelectorAll('form[data-unsaved]')];

/** Returns what a form would send, in the order of its fields; of a file its name. */
const written = (form) =>
  JSON.stringify(
    [...new FormData(form)].flatMap(([name, value]) =>
      name[0] === '_' ? [] : [[name, value.name ?? value]],
    ),
  );

// What a form with errors shows was typed, and is not saved either.
const stored = document.getElementById('summary') ? [] : forms.map(written);
let sent = null;
addEventListener('submit', ({ target }) => {
  sent = target;
});
addEventListener('pageshow', () => {
  sent = null;
});
// A form that is sent takes only its own fields along. If it is kept back, it is no longer busy.
addEventListener('beforeunload', (event) => {
  if (forms.every((form, n) => form === sent || written(form) === stored[n])) return;
  event.preventDefault();
  setTimeout(() => sent?.removeAttribute('aria-busy'));
});
