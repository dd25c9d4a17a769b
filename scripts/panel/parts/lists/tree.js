// Drags a category before, after or into another one: src/panel/developer/categories/tree.tsx.
const tree = document.querySelector('[data-tree]');
const form = document.getElementById(tree?.dataset.tree);
const rowOf = (node) => node.closest?.('tr:has([data-category])');
const idOf = (row) => row.querySelector('[data-category]').dataset.category;
let dragged = null;

/** Returns the side of the row that the pointer is at: its upper or lower quarter, or its middle. */
function sideAt(row, { clientY }) {
  const { top, height } = row.getBoundingClientRect();
  const part = (clientY - top) / height;
  if (part < 0.25) return 'before';
  return part > 0.75 ? 'after' : 'into';
}

function unmark() {
  for (const row of tree.querySelectorAll('[data-drop]')) delete row.dataset.drop;
}

for (const name of tree?.querySelectorAll('[data-category]') ?? []) rowOf(name).draggable = true;
tree?.addEventListener('dragstart', (event) => {
  dragged = rowOf(event.target);
});
tree?.addEventListener('dragover', (event) => {
  const row = rowOf(event.target);
  unmark();
  if (!dragged || !row || row === dragged) return;
  event.preventDefault();
  row.dataset.drop = sideAt(row, event);
});
tree?.addEventListener('drop', (event) => {
  const row = rowOf(event.target);
  if (!dragged || !row || row === dragged) return;
  event.preventDefault();
  Object.assign(form.elements.moved, { value: idOf(dragged) });
  Object.assign(form.elements.target, { value: idOf(row) });
  Object.assign(form.elements.side, { value: sideAt(row, event) });
  form.submit();
});
tree?.addEventListener('dragend', () => {
  dragged = null;
  unmark();
});
