// Adds a checkbox that selects all rows of a list: in the head of the table, or below it where that is hidden.
const boxes = [...document.querySelectorAll('td > [name="ids"]')];
const form = boxes[0]?.form;
const all = document.createElement('input');
const label = document.createElement('label');
const text = document.createElement('span');

/** Shows whether all rows are selected, or some. */
function show() {
  const count = boxes.filter(({ checked }) => checked).length;
  all.checked = count === boxes.length;
  all.indeterminate = count > 0 && !all.checked;
}

if (form) {
  const head = form.querySelector('thead');
  const isHidden = head.offsetWidth < 2;
  Object.assign(all, { type: 'checkbox', autocomplete: 'off' });
  Object.assign(text, { textContent: 'Select all', className: isHidden ? '' : 'hidden' });
  label.className = isHidden ? 'check' : 'all';
  label.append(all, ' ', text);
  if (isHidden) form.querySelector('.actions').append(label);
  else {
    const cell = head.querySelector('th');
    const word = document.createElement('span');
    word.append(...cell.childNodes);
    cell.append(label, word);
  }
  all.addEventListener('change', () => {
    for (const box of boxes) box.checked = all.checked;
  });
  form.addEventListener('change', show);
  // The browser fills in what was selected after "Back" only once the page is shown.
  addEventListener('pageshow', show);
}
