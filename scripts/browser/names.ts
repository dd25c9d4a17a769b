/**
 * Lists the names in a page's content that several links, buttons or fields share although they lead to different
 * places: in a list of links, or by voice, nobody could tell them apart. Names that are cut may begin alike.
 */
export const AMBIGUOUS = `(() => {
  const places = new Map();
  const add = (name, place) => places.set(name, (places.get(name) ?? new Set()).add(place));
  const wordsOf = (it) => it.textContent + [...it.querySelectorAll('img')].map(({ alt }) => alt).join();
  const textOf = (it) => it.getAttribute('aria-label') ?? wordsOf(it.labels?.[0] ?? it);
  const groupsOf = (it) => {
    const group = it.parentElement.closest('fieldset');
    const name = group?.getAttribute('aria-label') ?? group?.querySelector(':scope > legend')?.textContent;
    return group ? groupsOf(group) + name + ': ' : '';
  };
  for (const it of document.querySelectorAll('main :is(a[href], button, summary, input:not([type="hidden"]), select, textarea)')) {
    if (it.closest('nav') || !it.checkVisibility()) continue;
    const name = groupsOf(it) + textOf(it).trim().replace(/\\s+/g, ' ');
    if (it.matches('a')) add('link ' + name, it.href);
    else if (it.matches('button')) add('button ' + name, [it.form?.action, it.formAction, it.name, it.value].join());
    else add('field ' + name, it);
  }
  return [...places].flatMap(([name, { size }]) => (size > 1 && !name.includes('…') ? [size + ' × ' + name] : []));
})()`;
