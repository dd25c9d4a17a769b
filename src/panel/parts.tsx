import type { Child } from 'hono/jsx';

/** A table that scrolls by itself on narrow screens, by keyboard too. */
export const Table = ({ label, head, rows }: { label: string; head: readonly string[]; rows: Child[][] }) =>
  rows.length === 0 ? (
    <p class="empty">Nothing here yet.</p>
  ) : (
    <section class="scroll" aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>
            {head.map((title) => (
              <th scope="col">{title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

const GOOD = ['active', 'paid', 'delivered', 'done'];
const BAD = ['suspended', 'passive', 'cancelled', 'dead', 'failed', 'inactive'];

/** A state as a coloured word. */
export const State = ({ is }: { is: string }) => (
  <span class={`state ${GOOD.includes(is) ? 'good' : BAD.includes(is) ? 'bad' : ''}`}>{is}</span>
);

/** An instant, as people read it (UTC). */
export const When = ({ at }: { at: string | null }) =>
  at === null ? <span>never</span> : <time datetime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>;

/** A secret that is shown this once, with a button that copies it. */
export const Secret = ({ label, value }: { label: string; value: string }) => (
  <p class="secret">
    <label for="secret">{label}</label>
    <input id="secret" readonly value={value} />
    <button type="button" data-copy="secret" hidden>
      Copy
    </button>
    <small class="hint">It is shown this once. Keep it where only your server can read it.</small>
  </p>
);

interface Meta {
  readonly page: number;
  readonly limit: number;
  readonly total: number;
  readonly total_pages: number;
}

/** Where one is in a list, with links to the pages beside; `href` makes the link of a page. */
export const Pages = ({ meta, href }: { meta: Meta; href: (page: number) => string }) =>
  meta.total_pages > 1 ? (
    <nav class="pages" aria-label="Pages">
      {meta.page > 1 && (
        <a rel="prev" href={href(meta.page - 1)}>
          Previous
        </a>
      )}
      <span>
        Page {meta.page} of {meta.total_pages} ({meta.total} in all)
      </span>
      {meta.page < meta.total_pages && (
        <a rel="next" href={href(meta.page + 1)}>
          Next
        </a>
      )}
    </nav>
  ) : (
    <p class="hint">{meta.total} in all</p>
  );

/** An amount as the currency writes it. */
export const money = (amount: number, currency: string): string =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).format(amount);
