// The live preview of the theme page: what its Preview button shows, while the form is changed.
const form = document.getElementById('preview')?.parentElement.querySelector('form');
let timer;
form?.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    const body = new URLSearchParams(new FormData(form));
    body.set('_find', 'preview');
    const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null);
    if (!answer?.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById('preview');
    if (next) document.getElementById('preview').replaceWith(next);
  }, 250);
});
