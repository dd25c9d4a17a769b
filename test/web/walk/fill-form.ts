import { pickFrom } from '../../support/seeded-random.ts';
import type { Field, Form } from './page-parts.ts';

/** Text that few fields expect, and some must refuse. */
const HOSTILE = [
  '',
  ' \t ',
  'x'.repeat(3_000),
  '🫖'.repeat(130),
  'a\u0000b',
  '\ud800',
  '\u202eabc\u200f',
  '<xss onx=1>',
  '"><xss>',
  "' onx='1",
  '</textarea></title><xss>',
  '&lt;b&gt;',
  '__proto__',
  '-1',
  '0.001',
  '1,000',
  '1e400',
  '99999999999999',
  '2030-02-30T10:00',
  '9999-12-31T23:59',
  '%00/../x',
  'javascript:alert(1)',
  'a,b,,c;d|e',
  'one\ntwo\n\n',
  'İ',
];

/** Values by the names of their fields. */
const PLAUSIBLE: readonly (readonly [name: RegExp, values: readonly string[]])[] = [
  [/email/, ['ada@example.com', 'grace@example.com']],
  [/origin|url|logo|image/, ['https://shop.example.com/a', 'https://shop.example.com/b.png']],
  [/color/, ['#112233', '#abcdef']],
  [/slug/, ['blue-mug', 'red-mug']],
  [/(from|to|_at)$/, ['2031-05-01T10:00', '2032-05-01T11:30']],
  [/first$|last$|date|days$/, ['2031-05-01', '2031-05-09']],
  [/time$/, ['10:30']],
  [/price|amount|value|flat|free_over|subtotal|rate|percent/, ['5', '12.50', '0', '7,5']],
  [/quantity|stock|capacity|uses|limit|weight|priority|buy|get/, ['1', '2', '30']],
  [/postal/, ['10115']],
  [/phone/, ['+49 40 123456']],
];

function plausible({ name, type, value, options }: Field, luck: () => number): string {
  if (type === 'select') return options.length > 0 ? pickFrom(options, luck) : value;
  const [, values] = PLAUSIBLE.find(([names]) => names.test(name)) ?? [];
  return pickFrom(values ?? ['Mug', 'Tea pot', 'Größe 7'], luck);
}

/** How somebody fills in a form: the share of its fields that they change, and of these that they mean to break. */
const CARE = [
  { changed: 0, hostile: 0 },
  { changed: 0.2, hostile: 0 },
  { changed: 0.7, hostile: 0 },
  { changed: 0.3, hostile: 0.3 },
  { changed: 0.7, hostile: 0.7 },
] as const;

const BOXES = ['checkbox', 'radio'];
/** Fields of which a refused form shows what was typed. */
const KEPT = ['text', 'textarea', 'email', 'number', 'url', 'tel', 'datetime-local', 'date', 'time'];

/** Returns a text as a browser sends it: on one line, unless it is of a text area. */
const asSent = (text: string, type: string): string =>
  text.replace(/\r?\n/g, type === 'textarea' ? '\r\n' : '').toWellFormed();

/** A form as it is sent. */
export interface Filling {
  readonly entries: readonly (readonly [name: string, value: string | File])[];
  /** What was typed, if a refused form has to show it again. */
  readonly typed: readonly string[];
}

/** Fills in a form at random. Hidden fields and searches stay: what they hold is no text of the form. */
export function fillIn(form: Form, luck: () => number): Filling {
  const { changed, hostile } = pickFrom(CARE, luck);
  const entries: [string, string | File][] = [];
  const typed: string[] = [];
  for (const field of form.fields) {
    const { name, type } = field;
    const isChanged = !['hidden', 'search'].includes(type) && luck() < changed;
    if (type === 'file')
      entries.push([name, isChanged ? new File(['none'], '"<xss>.png') : new File([], '')]);
    else if (BOXES.includes(type)) {
      if (field.ticked !== isChanged) entries.push([name, field.value]);
    } else {
      const isBroken = type !== 'select' && luck() < hostile;
      const text = isBroken ? pickFrom(HOSTILE, luck) : plausible(field, luck);
      const value = asSent(isChanged ? text : field.value, type);
      entries.push([name, value]);
      if (KEPT.includes(type)) typed.push(value);
    }
  }
  if (luck() < hostile) entries.push([pickFrom(['__proto__', 'surprise', 'a.0.b'], luck), '1']);
  return { entries, typed };
}

/** Returns the body of a form with these entries. */
export function bodyOf({ hasFiles }: Form, entries: Filling['entries']): FormData | URLSearchParams {
  if (!hasFiles) return new URLSearchParams(entries.map(([name, value]) => [name, String(value)]));
  const body = new FormData();
  for (const [name, value] of entries) {
    if (typeof value === 'string') body.append(name, value);
    else body.append(name, value, value.name);
  }
  return body;
}
