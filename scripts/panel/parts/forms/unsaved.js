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
let sent = false;
addEventListener('submit', () => {
  sent = true;
});
addEventListener('pageshow', () => {
  sent = false;
});
addEventListener('beforeunload', (event) => {
  if (!sent && forms.some((form, n) => written(form) !== stored[n])) event.preventDefault();
});
