// The panels work without this. It adds copy buttons, the theme's live preview and an import's live progress.

for (const button of document.querySelectorAll('[data-copy]')) {
  const field = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(field.value);
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
