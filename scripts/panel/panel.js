// The panels work without this. It adds copy buttons, the theme's live preview and an import's live progress.

for (const button of document.querySelectorAll('[data-copy]')) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(field.value ?? field.textContent);
    button.textContent = 'Copied';
  });
}

// Screen readers read the error summary first.
document.getElementById('summary')?.focus();

const preview = document.getElementById('preview');
if (preview) {
  for (const input of document.querySelectorAll('[data-preview]')) {
    input.addEventListener('input', () => {
      const [attribute, color] = [input.dataset.preview, input.value];
      if (attribute === 'font') return preview.setAttribute('font-family', color || 'sans-serif');
      if (!/^#[0-9a-f]{6}$/i.test(color)) return;
      for (const part of preview.querySelectorAll(`[data-color="${attribute}"]`))
        part.setAttribute('fill', color);
    });
  }
}

/** Polls the same page every second and updates the progress until the import ends. */
async function follow(progress) {
  while (progress.dataset.live) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById('progress');
    if (!next) return;
    progress.replaceChildren(...next.childNodes);
    if (!next.dataset.live) delete progress.dataset.live;
  }
}
const progress = document.getElementById('progress');
if (progress) follow(progress);

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
      .querySelector(':is(input:not([type="hidden"]), select, textarea, button:not([hidden]))')
      ?.focus();
    return row.remove();
  }
  if (edit === 'up') row.previousElementSibling?.before(row);
  if (edit === 'down') row.nextElementSibling?.after(row);
  if (edit !== 'add') return button.focus();
  const body = new FormData(button.form, button);
  for (const [name, value] of [...body]) if (value instanceof File) body.delete(name);
  const answer = await fetch(button.form.action, { method: 'POST', body }).catch(() => null);
  const html = answer?.ok ? await answer.text() : '';
  const next = new DOMParser().parseFromString(html, 'text/html').getElementById(list.id);
  if (!next) return button.form.requestSubmit(button);
  list.replaceWith(next);
  next.querySelector('ol > .entry:last-child :is(input:not([type="hidden"]), select, textarea)')?.focus();
});
