// Screen readers read an element whose text changes, but not one that arrives with its text.
const status = document.createElement('p');
status.setAttribute('role', 'status');
status.className = 'hidden';
document.body.append(status);

/** Says something to those who don't see the page. */
export function announce(text) {
  status.textContent = text;
}
