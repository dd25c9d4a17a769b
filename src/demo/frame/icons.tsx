/** The outlines of the shop's icons, on a square of 24 units. */
const OUTLINES = {
  search: 'M20 20l-4.2-4.2M11 18a7 7 0 1 1 0-14 7 7 0 0 1 0 14Z',
  account: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8ZM4.5 20.5c1-3.6 3.9-5.5 7.5-5.5s6.5 1.9 7.5 5.5',
  cart: 'M5 8.5h14l-1 12H6l-1-12ZM8.5 8.5V7a3.5 3.5 0 0 1 7 0v1.5',
} as const;

/** An icon beside a word that names it, so that it is hidden from screen readers. */
export const Icon = ({ of: name }: { of: keyof typeof OUTLINES }) => (
  <svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
    <path d={OUTLINES[name]} />
  </svg>
);
