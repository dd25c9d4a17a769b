// Asks before a page is left whose form has changes that are not saved: Form in src/web/ui/form.tsx.
const forms = [...document.querySelectorAll('form[data-unsaved]')];

/** Returns what a form would send, in the order of its fields; of a file its name. */
const written = (form) =>
  JSON.stringify(
    [...new FormData(form)].flatMap(([name, value]) =>
      name.startsWith('_') ? [] : [[name, value instanceof File ? value.name : value]],
    ),
  );

// What a form with errors shows was typed, and is not saved either.
const refused = document.getElementById('summary');
const stored = new Map(forms.map((form) => [form, refused ? '' : written(form)]));
let sent = false;
addEventListener('submit', () => {
  sent = true;
});
addEventListener('pageshow', () => {
  sent = false;
});
addEventListener('beforeunload', (event) => {
  if (!sent && forms.some((form) => written(form) !== stored.get(form))) event.preventDefault();
});
