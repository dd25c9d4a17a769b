// The live preview of the theme page: what its Preview button shows, while the form is changed. A preview that is under
// way ends with the next change, and when the form is sent: a late response would replace the newer one, or its cookie.
const form = document.getElementById('preview')?.parentElement.querySelector('form');
let timer;
let asked;
const end = () => {
  clearTimeout(timer);
  asked?.abort();
};
form?.addEventListener('submit', end);
form?.addEventListener('input', () => {
  end();
  timer = setTimeout(async () => {
    asked = new AbortController();
    const body = new URLSearchParams(new FormData(form));
    body.set('_find', 'preview');
    const shown = fetch(form.action, { method: 'POST', body, signal: asked.signal });
    const html = await shown.then((answer) => answer.ok && answer.text()).catch(() => null);
    const next = html && new DOMParser().parseFromString(html, 'text/html').getElementById('preview');
    if (next) document.getElementById('preview').replaceWith(next);
  }, 250);
});
