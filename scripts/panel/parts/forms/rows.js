const FIELD = 'input:not([type="hidden"]),select,textarea';

/** Names the rows of a list, and their buttons, after their places. */
function number(list) {
  for (const [n, row] of list.querySelectorAll('.entry').entries())
    for (const it of row.querySelectorAll('.entry-fields, .entry-buttons > *'))
      it.ariaLabel = it.ariaLabel.replace(/\d+$/, n + 1);
}

// Rows of a form are removed and moved in place. An added row comes from the server, with the form's fields as typed.
document.addEventListener('click', async (event) => {
  const button = event.target.closest('button[name="_rows"]');
  if (!button) return;
  event.preventDefault();
  const [edit] = button.value.split(' ');
  const list = button.closest('fieldset');
  const row = button.closest('.entry');
  if (edit === 'remove') {
    const next = row.nextElementSibling ?? row.previousElementSibling ?? list;
    row.remove();
    number(list);
    return next.querySelector(`:is(${FIELD}, button:not([hidden]))`)?.focus();
  }
  if (edit === 'up') row.previousElementSibling?.before(row);
  if (edit === 'down') row.nextElementSibling?.after(row);
  if (edit !== 'add') {
    number(list);
    return button.focus();
  }
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
