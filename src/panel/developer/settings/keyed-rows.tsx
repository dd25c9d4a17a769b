import type { z } from 'zod';
import { ownEntry } from '../../../kernel/core/records.ts';
import { canonicalJson } from '../../../kernel/text/canonical-json.ts';
import { type Filled, type PageRequest, Pages, pageAsked, pageOf } from '../../../web/index.ts';
import type { Values } from '../../editing/changes.ts';
import type { SettingsPart, Stored } from './save-settings.ts';

interface KeyedRowsCheck<Row> {
  readonly rows: readonly Row[];
  /** The part that no two rows may share. */
  readonly part: string;
  readonly keyOf: (row: Row) => string;
}

/** Adds an error to each row whose key an earlier row has, for lists that the API keeps as objects. */
export function refuseRepeated<Row>(
  { rows, part, keyOf }: KeyedRowsCheck<Row>,
  context: z.core.$RefinementCtx<unknown>,
): void {
  const seen = new Set<string>();
  for (const [n, row] of rows.entries()) {
    const key = keyOf(row);
    if (seen.has(key)) {
      context.addIssue({ code: 'custom', path: [n, part], message: 'is already in the list' });
    }
    seen.add(key);
  }
}

interface RowErrors {
  /** The list's name, under which the API keeps an object. */
  readonly list: string;
  /** The object's keys, in the order of the rows. */
  readonly keys: readonly string[];
  /** The part whose error has no path below its key. */
  readonly part: string;
}

/** Returns a path of a keyed object as that of its row: `rates.DE` → `rates.0.rate`. */
export function atRow(path: string, { list, keys, part }: RowErrors): string {
  const [key = '', ...rest] = path.startsWith(`${list}.`) ? path.slice(list.length + 1).split('.') : [];
  const n = keys.indexOf(key);
  return n < 0 ? path : [list, n, ...(rest.length > 0 ? rest : [part])].join('.');
}

/** The rows of a keyed list that a page shows; a long list has several pages. */
export interface PagedRows<Value> {
  readonly shown: readonly (readonly [key: string, value: Value])[];
  readonly meta: ReturnType<typeof pageOf>['meta'];
}

/** Returns the rows of the page that the query asks for, `size` a page. */
export const rowsOnPage = <Value,>(
  request: PageRequest,
  object: Readonly<Record<string, Value>> | undefined,
  size: number,
): PagedRows<Value> => pageOf(Object.entries(object ?? {}), pageAsked(request), size);

const shownField = (list: string): string => `${list}-shown`;

interface ShownKeysProps {
  readonly f: Filled;
  readonly list: string;
  readonly rows: PagedRows<unknown>;
  readonly path: string;
}

/** The keys of the rows that a form shows, so that the others stay as they are, and links to the other pages. */
export const ShownKeys = ({ f, list, rows, path }: ShownKeysProps) => (
  <>
    {/* An empty one besides, so that a list without rows is known once it was sent. */}
    {(f.request.sent[shownField(list)] ?? ['', ...rows.shown.map(([key]) => key)]).map((key) => (
      <input type="hidden" name={shownField(list)} value={key} />
    ))}
    {rows.meta.total_pages > 1 && <Pages meta={rows.meta} href={(page) => `${path}?page=${page}`} />}
  </>
);

/** Returns the keys of the rows that a submitted form showed. */
const shownKeys = ({ sent }: PageRequest, list: string): ReadonlySet<string> =>
  new Set(sent[shownField(list)]);

/** A list of rows that the API keeps as an object. */
export interface KeyedList {
  /** The list's name. */
  readonly list: string;
  /** What a row is for: "country". It begins the keys of the list's parts. */
  readonly kind: string;
  /** Returns the label of the row with a key. */
  labelOf(key: string): string;
  /** Returns the object. */
  of(stored: Stored): Readonly<Record<string, unknown>> | undefined;
  /** Returns a row in words. */
  say?(row: unknown): string;
}

/** Rows with their keys. */
type KeyedRows = readonly (readonly [key: string, value: unknown])[];

interface HiddenRows {
  readonly stored: Stored;
  /** The submitted rows, in their order. */
  readonly rows: KeyedRows;
  /** The part of a row that holds its key. */
  readonly part: string;
}

/** Returns an error for each row that would replace a stored row with the same key that the form didn't show. */
export function hiddenRowErrors(
  request: PageRequest,
  { list, of }: KeyedList,
  { stored, rows, part }: HiddenRows,
): Record<string, string[]> {
  const shown = shownKeys(request, list);
  const known = of(stored) ?? {};
  const message = 'is already in the list, on another page or added meanwhile';
  const isOther = (key: string, value: unknown) =>
    Object.hasOwn(known, key) && !shown.has(key) && canonicalJson(known[key]) !== canonicalJson(value);
  return Object.fromEntries(
    rows.flatMap(([key, value], n) =>
      isOther(key, value) ? [[`${list}.${n}.${part}`, [message]] as const] : [],
    ),
  );
}

/** Returns the key of a row's part; a row's own key may have any characters. */
const partKey = ({ kind }: KeyedList, key: string): string => `${kind}.${encodeURIComponent(key)}`;

const rowOf = (rows: Readonly<Record<string, unknown>> | undefined, key: string): unknown =>
  ownEntry(rows, key) ?? null;

/** Returns rows of a keyed list as parts of a form; null is a row that isn't there. */
export const rowParts = (keyed: KeyedList, rows: KeyedRows): SettingsPart[] =>
  [...new Set(rows.map(([key]) => key))].map((key) => ({
    key: partKey(keyed, key),
    label: keyed.labelOf(key),
    of: (stored) => rowOf(keyed.of(stored), key),
    ...(keyed.say && { say: keyed.say }),
  }));

/** Returns the parts and values of a submitted list: of the rows that the form showed, and of those that it has now. */
export function submittedRows(
  request: PageRequest,
  keyed: KeyedList,
  rows: KeyedRows,
): { readonly parts: readonly SettingsPart[]; readonly values: Values } {
  const shown = [...shownKeys(request, keyed.list)].filter(Boolean);
  const values: KeyedRows = [...shown.map((key) => [key, null] as const), ...rows];
  return {
    parts: rowParts(keyed, values),
    values: Object.fromEntries(values.map(([key, value]) => [partKey(keyed, key), value])),
  };
}

/** Returns a stored object with what was changed of its rows; undefined if nothing was. */
export function changedRows(
  { kind, of }: KeyedList,
  stored: Stored,
  changed: Values,
): Record<string, unknown> | undefined {
  const rows = Object.entries(changed).flatMap(([key, value]) =>
    key.startsWith(`${kind}.`) ? [[decodeURIComponent(key.slice(kind.length + 1)), value] as const] : [],
  );
  if (rows.length === 0) return undefined;
  const all = new Map<string, unknown>([...Object.entries(of(stored) ?? {}), ...rows]);
  return Object.fromEntries([...all].filter(([, value]) => value !== null));
}
