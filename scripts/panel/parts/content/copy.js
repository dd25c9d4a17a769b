import { announce } from '../../js/announce.js';

// Copy buttons, which are hidden without JavaScript.
for (const button of document.querySelectorAll('[data-copy]')) {
  const source = document.getElementById(button.dataset.copy);
  button.hidden = false;
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(source.value ?? source.textContent);
    button.textContent = 'Copied';
    announce(`Copied${(button.ariaLabel ?? '').replace('Copy', '')}`);
  });
}
