/**
 * Lists of rows in a form. Row `n` of `links` has fields such as `links.0.title`; rows of rows are
 * `groups.0.items.1.quantity`. The order of the rows is the order in which their fields are sent, and their
 * numbers may have gaps.
 */

/** Text fields of a form by name. */
export type SentFields = Readonly<Record<string, string[]>>;

/** The name of the buttons that edit rows; their value is a {@link RowEdit}, such as `remove links.2`. */
export const ROW_BUTTON = '_rows';
/** Returns the name of the hidden field that tells an empty list in a form from an absent one. */
export const markerOf = (list: string): string => `_list.${list}`;

const EDIT = /^(add) ([\w.]{1,100})$|^(remove|up|down) ([\w.]{1,100})\.(\d{1,6})$/;

/** The part of an added row that has no field yet. */
const NEW_ROW = '_';

/** Returns the form after the pressed button's edit of rows, or null if no such button was pressed. */
export function editedRows(sent: SentFields): SentFields | null {
  const [value] = sent[ROW_BUTTON] ?? [];
  if (value === undefined) return null;
  const [, add, all = '', edit, of = '', at] = EDIT.exec(value) ?? [];
  if (!add && !edit) return sent;
  const list = add ? all : of;
  const { others, rows } = rowsIn(sent, list);
  const numbers = [...rows.keys()];
  const wanted = edit ? moved(numbers, Number(at), edit) : numbers;
  const edited = wanted.map((number) => rows.get(number) ?? []);
  const added: RowFields[] = add ? [[[NEW_ROW, ['']]]] : [];
  return Object.fromEntries([...others, ...numbered(list, [...edited, ...added])]);
}

/** The fields of one row: each part's name and values. */
type RowFields = readonly (readonly [part: string, values: string[]])[];

/** Returns the rows of a list by number, in their order, and all fields besides. */
function rowsIn(sent: SentFields, list: string) {
  const others: [string, string[]][] = [];
  const rows = new Map<number, [string, string[]][]>();
  for (const [field, values] of Object.entries(sent)) {
    const inList = field.startsWith(`${list}.`) ? field.slice(list.length + 1) : '';
    const [, number, part = ''] = /^(\d{1,6})\.(.+)$/.exec(inList) ?? [];
    const row = rows.get(Number(number));
    if (number === undefined) others.push([field, values]);
    else if (row) row.push([part, values]);
    else rows.set(Number(number), [[part, values]]);
  }
  return { others, rows };
}

function moved(numbers: readonly number[], number: number, edit: string): number[] {
  const others = numbers.filter((one) => one !== number);
  const from = numbers.indexOf(number);
  if (edit === 'remove' || from < 0) return others;
  return others.toSpliced(Math.max(0, edit === 'up' ? from - 1 : from + 1), 0, number);
}

/** Returns the fields of these rows of a list, numbered from 0. */
const numbered = (list: string, rows: readonly RowFields[]) =>
  rows.flatMap((row, n) => row.map(([part, values]) => [`${list}.${n}.${part}`, values] as const));

/** Returns the form with a list's rows numbered from 0, as {@link countedRows} numbers them, and their count. */
export function shownRows(sent: SentFields, list: string, counted?: readonly string[]) {
  const { others, rows } = rowsIn(sent, list);
  const filled = [...rows.values()].filter((row) =>
    row.some(([part, values]) => isCounted(part, counted) && values.some((value) => value.trim() !== '')),
  );
  return { sent: Object.fromEntries([...others, ...numbered(list, filled)]), count: filled.length };
}

/** Returns a list's rows as they are, blank ones included, numbered from 0. */
export function allRows(sent: SentFields, list: string) {
  const { others, rows } = rowsIn(sent, list);
  const all = [...rows.values()];
  return { sent: Object.fromEntries([...others, ...numbered(list, all)]), count: all.length };
}

/** Returns whether a part makes its row count: by default any but the id, which a blank row may have too. */
const isCounted = (part: string, counted?: readonly string[]): boolean => {
  const [first = ''] = part.split('.');
  return first !== NEW_ROW && (counted ? counted.includes(first) : first !== 'id');
};

/** Returns a form's fields with each list as an array of rows, and rows of rows within them. */
export function collectRows(form: unknown): unknown {
  if (typeof form !== 'object' || form === null) return form;
  const plain: [string, unknown][] = [];
  const lists = new Map<string, Map<string, [string, unknown][]>>();
  for (const [field, value] of Object.entries(form)) {
    const [, list, number, part] = /^([^.]+(?:\.[^.]+)*?)\.(\d{1,6})\.(.+)$/.exec(field) ?? [];
    if (list === undefined || number === undefined || part === undefined) {
      plain.push([field, value]);
      continue;
    }
    const rows = lists.get(list) ?? new Map<string, [string, unknown][]>();
    const row = rows.get(number) ?? [];
    row.push([part, value]);
    lists.set(list, rows.set(number, row));
  }
  const rowsOfLists = [...lists].map(
    ([list, rows]) => [list, [...rows.values()].map((row) => collectRows(Object.fromEntries(row)))] as const,
  );
  return Object.fromEntries([...plain, ...rowsOfLists]);
}

/** Returns the rows of which a counted part is filled in. */
export const countedRows = (rows: unknown, counted?: readonly string[]): unknown =>
  Array.isArray(rows) ? rows.filter((row) => isFilled(row, counted)) : [];

const isFilled = (row: unknown, counted?: readonly string[]): boolean =>
  typeof row === 'object' &&
  row !== null &&
  Object.entries(row).some(([part, value]) => isCounted(part, counted) && hasText(value));

function hasText(value: unknown): boolean {
  if (typeof value === 'string') return value.trim() !== '';
  if (!Array.isArray(value)) return value !== undefined;
  return value.some((one) => (typeof one === 'string' ? hasText(one) : isFilled(one)));
}
