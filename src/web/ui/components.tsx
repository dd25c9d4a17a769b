import type { Child } from 'hono/jsx';
import { beginningOf } from '../../kernel/text/text.ts';
import { formatMoney } from '../../kernel/values/money.ts';
import { Part } from './part.tsx';

interface TableProps {
  readonly label: string;
  readonly head: readonly string[];
  readonly rows: Child[][];
  /** Indexes of the numeric columns, which are right-aligned. */
  readonly figures?: readonly number[];
  /** Shown instead of a table without rows. */
  readonly empty?: Child;
  /** Scrolls sideways also on a wide screen, for more columns than fit. */
  readonly wide?: boolean;
  /** The pages of the list, linked below the table. */
  readonly pages?: PagesProps;
}

/** A table that scrolls horizontally, also by keyboard. On narrow screens each row is a card of labelled cells. */
export const Table = ({ pages, ...table }: TableProps) => (
  <>
    {pages && isPastEnd(pages) ? <PastEnd {...pages} /> : <Rows {...table} />}
    {pages && <Pages {...pages} />}
  </>
);

const isPastEnd = ({ meta }: PagesProps): boolean => meta.total > 0 && meta.page > meta.total_pages;

/** Says that there are fewer pages, so that nobody takes the list for empty. */
const PastEnd = ({ meta, href }: PagesProps) => (
  <div class="empty">
    <p>
      There is no page {meta.page}.{' '}
      <a href={href(meta.total_pages)}>Go to the last page, {meta.total_pages}</a>
    </p>
  </div>
);

const Rows = ({ label, head, rows, figures = [], empty, wide }: Omit<TableProps, 'pages'>) =>
  rows.length === 0 ? (
    <div class="empty">{empty ?? <p>No entries yet.</p>}</div>
  ) : (
    <section class={wide ? 'scroll wide' : 'scroll'} aria-label={label} tabindex={0}>
      <table>
        <thead>
          <tr>
            {head.map((title, at) => (
              <th scope="col" class={figures.includes(at) ? 'figure' : undefined}>
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell, at) => (
                <td data-label={head[at]} class={figures.includes(at) ? 'figure' : undefined}>
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );

/** A description list of names and values. */
export const Facts = ({ of }: { of: Readonly<Record<string, Child>> }) => (
  <dl class="facts">
    {Object.entries(of).map(([name, value]) => (
      <div>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
);

/**
 * Returns the URI of an e-mail address (RFC 6068). Encoded, because what follows a "?" would be headers of the message,
 * and addresses are typed by strangers.
 */
const mailtoOf = (email: string): string => `mailto:${email.split('@').map(encodeURIComponent).join('@')}`;

/** An e-mail address. Where it is too long for a line, it breaks before `@` or a dot. */
export const Email = ({ of }: { of: string }) => (
  <>
    {of.split(/(?=[@.])/).map((part, n) => (
      <>
        {n > 0 && <wbr />}
        {part}
      </>
    ))}
  </>
);

/** A link that writes to an e-mail address. */
export const MailTo = ({ email }: { email: string }) => (
  <a href={mailtoOf(email)}>
    <Email of={email} />
  </a>
);

/** Truncates a text to `length` UTF-16 units, with an ellipsis. Cuts no character as people see it, such as "👨‍👩‍👧" or "की". */
export const clip = (text: string, length = 80): string =>
  text.length <= length ? text : `${beginningOf(text, length - 1).trimEnd()}…`;

const GOOD = ['active', 'paid', 'delivered', 'done', 'switched'];
const BAD = ['suspended', 'passive', 'cancelled', 'dead', 'failed', 'inactive'];

/** A status as a coloured label: `partially_refunded` → "partially refunded". */
export const State = ({ is }: { is: string }) => (
  <span class={`state ${colourOf(is)}`}>{is.replaceAll('_', ' ')}</span>
);

/** Returns the class that colours a status; "" for a neutral one. */
function colourOf(status: string): string {
  if (GOOD.includes(status)) return 'good';
  return BAD.includes(status) ? 'bad' : '';
}

/** An instant to the minute, in UTC. The script shows it in the reader's time, and the seconds on hover. */
export const When = ({ at }: { at: string | null }) =>
  at === null ? <span>never</span> : <time datetime={at}>{at.slice(0, 16).replace('T', ' ')} UTC</time>;

/** The use of a limit, as a meter and in numbers; `used` is null when it is unknown. */
export const Use = ({ used, of, label }: { used: number | null; of: number; label: string }) => (
  <span class="use">
    <meter aria-label={label} min={0} max={of} high={Math.ceil(of * 0.9)} value={used ?? 0} />
    {used ?? '?'} of {of}
  </span>
);

/** A secret that is shown only once, with a copy button. */
export const Secret = ({
  label,
  value,
  hint = 'It is shown only once. Store it where only your server can read it.',
}: {
  label: string;
  value: string;
  hint?: string;
}) => (
  <p class="secret">
    <Part name="copy" />
    <label for="secret">{label}</label>
    <input id="secret" readonly value={value} />
    <button type="button" data-copy="secret" hidden>
      Copy
    </button>
    <small class="hint">{hint}</small>
  </p>
);

interface Meta {
  readonly page: number;
  readonly total: number;
  readonly total_pages: number;
}

/** One page of a list, and where it is in it. */
interface PageOf<T> {
  readonly shown: T[];
  readonly meta: Meta;
}

/** Returns one page of a list and its `meta`. A page past the end is the last page. */
export const pageOf = <T,>(all: readonly T[], wanted: number, limit: number): PageOf<T> =>
  pageAt(all, Math.min(wanted, Math.ceil(all.length / limit)), limit);

/** Like {@link pageOf}, but a page past the end is empty: {@link Table} then says so and links the last one. */
export function pageAt<T>(all: readonly T[], wanted: number, limit: number): PageOf<T> {
  const total_pages = Math.ceil(all.length / limit);
  const page = Math.max(1, wanted);
  const meta = { page, total: all.length, total_pages };
  return { shown: all.slice((page - 1) * limit, page * limit), meta };
}

export interface PagesProps {
  readonly meta: Meta;
  /** Returns the link of a page. */
  readonly href: (page: number) => string;
}

/** The pagination of a list, with links to the previous and next page. */
export function Pages({ meta, href }: PagesProps) {
  if (isPastEnd({ meta, href }) || meta.total === 0) return null;
  if (meta.total_pages <= 1) return <p class="hint">{meta.total} in total</p>;
  return (
    <nav class="pages" aria-label="Pages">
      {meta.page > 1 && (
        <a rel="prev" href={href(meta.page - 1)}>
          Previous
        </a>
      )}
      <span>
        Page {meta.page} of {meta.total_pages} ({meta.total} in total)
      </span>
      {meta.page < meta.total_pages && (
        <a rel="next" href={href(meta.page + 1)}>
          Next
        </a>
      )}
    </nav>
  );
}

interface Sums {
  readonly totals: {
    readonly subtotal: number;
    readonly discount: number;
    readonly shipping: number;
    readonly tax: number;
    readonly tax_included: boolean;
    readonly grand_total: number;
  };
  /** Of an order: its tax by rate. */
  readonly tax_lines?: readonly { readonly rate_percent: number; readonly tax: number }[];
  readonly currency: string;
  readonly applied_promotions: readonly {
    readonly name: string;
    readonly code: string | null;
    readonly amount: number;
  }[];
}

/** Names the discount after the promotions that deduct something; one of free shipping doesn't. */
function discountTerm(applied: Sums['applied_promotions']): string {
  const names = applied.flatMap(({ name, code, amount }) => (amount > 0 ? [code ?? name] : []));
  return names.length > 0 ? `Discount (${clip(names.join(', '), 60)})` : 'Discount';
}

/** Returns the tax by its name: of each rate where that is known. */
function namedTaxes({ totals, tax_lines = [] }: Sums): Record<string, number> {
  const suffix = totals.tax_included ? ', included' : '';
  const taxed = tax_lines.filter(({ rate_percent }) => rate_percent > 0);
  if (taxed.length === 0) return { [`Tax${suffix}`]: totals.tax };
  return Object.fromEntries(taxed.map(({ rate_percent, tax }) => [`Tax ${rate_percent} %${suffix}`, tax]));
}

/** The totals of a cart or an order. */
export const Totals = (sums: Sums) => (
  <dl class="totals">
    <Part name="totals" />
    {Object.entries({
      Subtotal: sums.totals.subtotal,
      [discountTerm(sums.applied_promotions)]: -sums.totals.discount,
      Shipping: sums.totals.shipping,
      ...namedTaxes(sums),
      Total: sums.totals.grand_total,
    }).map(([name, amount]) => (
      <div>
        <dt>{name}</dt>
        <dd>{formatMoney(amount || 0, sums.currency)}</dd>
      </div>
    ))}
  </dl>
);
