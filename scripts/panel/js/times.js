// Instants in the reader's own time. The instant in UTC, with seconds, is shown on hover.

// Swedish writes dates as 2026-05-01 09:00, as the pages do.
const local = new Intl.DateTimeFormat('sv', { dateStyle: 'short', timeStyle: 'short' });

/** Rewrites the instants below an element, each as wide as it was: nothing moves. */
export function showLocalTimes(root) {
  const times = [...root.querySelectorAll('time[datetime$="Z"]:not([title])')];
  const widths = times.map((time) => time.getBoundingClientRect().width);
  for (const [at, time] of times.entries()) {
    const instant = new Date(time.dateTime);
    time.title = `${instant.toISOString().slice(0, 19).replace('T', ' ')} UTC`;
    // A table's cell would shrink by a percentage; a fact's column could be wider than it.
    time.style.minWidth = time.closest('dd') ? `min(${widths[at]}px, 100%)` : `${widths[at]}px`;
    time.textContent = local.format(instant);
  }
}
showLocalTimes(document);
