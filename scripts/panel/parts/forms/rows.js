const FIELD = 'input:not([type="hidden"]),select,textarea';

// Rows of a form are removed and moved in place. An added row comes from the server, with the form's fields as typed.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[name="_rows"]');
  if (!button) return;
  event.preventDefault();
  const [edit] = button.value.split(' ');
  const list = button.closest('fieldset');
  const row = button.closest('.entry');
  if (edit === 'remove') {
    (row.nextElementSibling ?? row.previousElementSibling ?? list)
      .querySelector(`:is(${FIELD}, button:not([hidden]))`)
      ?.focus();
    return row.remove();
  }
  if (edit === 'up') row.previousElementSibling?.before(row);
  if (edit === 'down') row.nextElementSibling?.after(row);
  if (edit !== 'add') return button.focus();
  const body = new FormData(button.form, button);
  for (const [name, value] of [...body]) if (value instanceof File) body.delete(name);
  // The response replaces the list: what is typed into it meanwhile would be lost.
  list.disabled = true;
  const answer = await fetch(button.form.action, { method: 'POST', body }).catch(() => null);
  const html = answer?.ok ? await answer.text() : '';
  const next = new DOMParser().parseFromString(html, 'text/html').getElementById(list.id);
  list.disabled = false;
  if (!next) return button.form.requestSubmit(button);
  list.replaceWith(next);
  next.querySelector(`ol > .entry:last-child :is(${FIELD})`)?.focus();
});
