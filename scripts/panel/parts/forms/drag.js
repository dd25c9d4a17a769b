// Rows are dragged to another place of their list. A field keeps its own dragging of text.
let dragged = null;
document.addEventListener('dragstart', (event) => {
  const row = event.target.closest?.('.entry[draggable]');
  if (event.target === row) dragged = row;
});
document.addEventListener('dragend', () => {
  dragged = null;
});
document.addEventListener('dragover', (event) => {
  const zone = event.target.closest?.('[data-drop]');
  if (zone && event.dataTransfer.types.includes('Files')) {
    zone.classList.add('over');
    return event.preventDefault();
  }
  const row = event.target.closest?.('.entry');
  if (!dragged || row?.parentElement !== dragged.parentElement) return;
  event.preventDefault();
  const { top, height } = row.getBoundingClientRect();
  if (row !== dragged) row[event.clientY < top + height / 2 ? 'before' : 'after'](dragged);
});
document.addEventListener('dragleave', (event) => {
  event.target.closest?.('[data-drop]')?.classList.remove('over');
});
// Dropped files are the field's, as if they had been chosen there.
document.addEventListener('drop', (event) => {
  const zone = event.target.closest?.('[data-drop]');
  const field = zone?.querySelector('[type="file"]');
  if (!field || event.dataTransfer.files.length === 0) return;
  event.preventDefault();
  zone.classList.remove('over');
  field.files = event.dataTransfer.files;
});
