import { announce } from '../../js/announce.js';
import { showLocalTimes } from '../../js/times.js';

// Polls the same page every second and updates the progress until the work ends.
async function follow(progress) {
  while (progress.dataset.live) {
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const answer = await fetch(location.pathname).catch(() => null);
    if (!answer?.ok) continue;
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById('progress');
    if (!next) return;
    progress.replaceChildren(...next.childNodes);
    showLocalTimes(progress);
    if (next.dataset.live) continue;
    delete progress.dataset.live;
    announce(progress.querySelector('.state').parentElement.textContent);
    // The form that stops the work.
    progress.nextElementSibling?.remove();
  }
}
const progress = document.getElementById('progress');
if (progress) follow(progress);
