import { announce } from './announce.js';

// The shop works without this. It adds suggestions to the search, and shows price, stock and pictures of a choice.

// Screen readers read first what came of a form.
document.querySelector('main > [tabindex="-1"]')?.focus();

/** Loads another page of this shop, or null. */
async function load(url, signal) {
  try {
    const answer = await fetch(url, { signal });
    return answer.ok ? new DOMParser().parseFromString(await answer.text(), 'text/html') : null;
  } catch {
    // Offline, or a newer request has taken its place.
    return null;
  }
}

const box = document.querySelector('[data-suggestions]');
const field = document.querySelector('search input');
let asked = new AbortController();

async function suggest() {
  asked.abort();
  asked = new AbortController();
  const { signal } = asked;
  const q = field.value.trim();
  await new Promise((resolve) => setTimeout(resolve, 150));
  if (signal.aborted) return;
  const found = q.length > 1 ? await load(`/demo/suggestions?q=${encodeURIComponent(q)}`, signal) : null;
  if (signal.aborted) return;
  box.replaceChildren(...(found?.body.childNodes ?? []));
  box.hidden = !box.querySelector('a');
  announce(box.querySelector('p')?.textContent ?? '');
}

if (box && field) {
  const search = box.parentElement;
  field.addEventListener('input', suggest);
  search.addEventListener('focusout', ({ relatedTarget }) => {
    if (!search.contains(relatedTarget)) box.hidden = true;
  });
  search.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') {
      box.hidden = true;
      field.focus();
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!step || box.hidden) return;
    const stops = [field, ...box.querySelectorAll('a')];
    stops[(stops.indexOf(document.activeElement) + step + stops.length) % stops.length].focus();
    event.preventDefault();
  });
}

/** Shows what a choice costs, and whether there is any: the parts of the same page with this choice. */
const form = document.querySelector('[data-choices]');
let choice = new AbortController();

const chosen = () => [...new FormData(form)].filter(([name]) => !name.startsWith('_'));

async function show() {
  choice.abort();
  choice = new AbortController();
  const fields = chosen();
  const later = new URLSearchParams(location.search).get('later');
  const query = new URLSearchParams(later ? [...fields, ['later', later]] : fields);
  const next = await load(`${location.pathname}?${query}`, choice.signal);
  // What is typed meanwhile stays: it is a change, and shown, once its field is left.
  if (!next || String(chosen()) !== String(fields)) return;
  const { name, value } = document.activeElement ?? {};
  for (const part of document.querySelectorAll('[data-part]')) {
    const same = next.querySelector(`[data-part="${part.dataset.part}"]`);
    if (same && part.innerHTML !== same.innerHTML) part.replaceChildren(...same.childNodes);
  }
  if (!name) return;
  const again = [...form.elements].find((one) => one.name === name && one.value === value);
  if (again && again !== document.activeElement) again.focus();
}

if (form) {
  form.addEventListener('change', show);
  // A choice made before this script was there, or one that the browser has restored.
  if ([...form.elements].some(({ checked, defaultChecked }) => checked !== defaultChecked)) show();
}

// A picture's link moves the row of pictures, and not the page. The link of the picture in view is marked.
const stillness = matchMedia('(prefers-reduced-motion: reduce)');

document.addEventListener('click', (event) => {
  const link = event.target.closest?.('.thumbs a');
  const picture = link && document.querySelector(link.hash);
  if (!picture) return;
  event.preventDefault();
  const behavior = stillness.matches ? 'auto' : 'smooth';
  picture.scrollIntoView({ block: 'nearest', inline: 'start', behavior });
});

function markPicture(slides) {
  const at = Math.round(Math.abs(slides.scrollLeft) / slides.clientWidth);
  for (const [n, link] of slides.parentElement.querySelectorAll('.thumbs a').entries()) {
    if (n === at) link.setAttribute('aria-current', 'true');
    else link.removeAttribute('aria-current');
  }
}

// Scrolling doesn't bubble, and the row is replaced with each choice.
document.addEventListener('scroll', ({ target }) => target.matches?.('.slides') && markPicture(target), true);
for (const slides of document.querySelectorAll('.slides')) markPicture(slides);
