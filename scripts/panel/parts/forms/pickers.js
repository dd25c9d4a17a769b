// Searches in pickers as one types, and ticks countries as they are chosen: src/panel/pickers.
/** Searches as one types: redraws the form's page, and takes over what the picker found. */
function searchIn(picker, field, button) {
  const read = () => [...new FormData(button.form, button)].filter(([, value]) => typeof value === 'string');
  const search = async () => {
    const sent = read();
    const answer = await fetch(button.form.action, { method: 'POST', body: new URLSearchParams(sent) });
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html');
    const next = page.getElementById(picker.id);
    // What was typed or chosen meanwhile is not in this page.
    if (String(read()) !== String(sent)) return search();
    if (!next) return;
    for (const part of ['.chosen', '.found'])
      picker.querySelector(part).replaceChildren(...next.querySelector(part).childNodes);
  };
  let timer;
  const soon = (delay) => {
    clearTimeout(timer);
    timer = setTimeout(search, delay);
  };
  field.addEventListener('input', () => soon(250));
  field.addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    soon(0);
  });
  button.addEventListener('click', (event) => {
    event.preventDefault();
    soon(0);
  });
}
for (const picker of document.querySelectorAll('.picker')) {
  const button = picker.querySelector('[name=_find]');
  if (button) searchIn(picker, picker.querySelector('[type=search]'), button);
}

// A country that is chosen from the suggestions becomes a ticked one, and the field is free for the next.
document.addEventListener('change', ({ target }) => {
  if (!target.matches('[data-add]') || ![...target.list.options].some(({ value }) => value === target.value))
    return;
  const label = document.createElement('label');
  label.innerHTML = '<input type="checkbox" checked><span></span>';
  Object.assign(label.firstChild, { name: target.name, value: target.value });
  label.lastChild.textContent = target.value;
  target.closest('.picker').querySelector('.chosen').append(label);
  target.value = '';
});
