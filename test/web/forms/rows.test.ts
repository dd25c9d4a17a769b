/** Rows of a form: their fields, and the buttons that add, remove and move them. */
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { collectRows, editedRows, shownRows } from '../../../src/web/forms/row-edits.ts';
import { rowsOf } from '../../../src/web/forms/rows.tsx';

const Link = z.object({ title: z.string().min(1), url: z.string(), id: z.string().optional() });
const read = (schema: z.ZodType, form: object) => {
  const found = z.preprocess(collectRows, schema).safeParse(form);
  return found.success ? found.data : found.error.issues.map(({ path }) => path.join('.'));
};

describe('rowsOf', () => {
  const Form = z.object({ name: z.string(), links: rowsOf(Link) });

  it('reads rows in the order in which they are sent, whatever their numbers', () => {
    const form = { name: 'Song', 'links.7.title': 'B', 'links.7.url': 'b', 'links.2.title': 'A' };
    expect(read(Form, { ...form, 'links.2.url': 'a' })).toEqual({
      name: 'Song',
      links: [
        { title: 'B', url: 'b' },
        { title: 'A', url: 'a' },
      ],
    });
  });

  it('ignores blank rows, and numbers the errors of the others without them', () => {
    const blank = { 'links.0.id': '5', 'links.0.title': ' ', 'links.0.url': '' };
    expect(read(Form, { name: 'Song', ...blank })).toEqual({ name: 'Song', links: [] });
    expect(read(Form, { name: 'Song' })).toEqual({ name: 'Song', links: [] });
    const wrong = { 'links.4.title': '', 'links.4.url': 'https://a.example.com' };
    expect(read(Form, { name: 'Song', ...blank, ...wrong })).toEqual(['links.0.title']);
    expect(shownRows({ 'links.0.title': [''], 'links.4.title': ['x'] }, 'links')).toEqual({
      sent: { 'links.0.title': ['x'] },
      count: 1,
    });
  });

  it('reads rows of rows', () => {
    const Group = z.object({ title: z.string(), items: rowsOf(z.object({ product: z.string() })) });
    const form = {
      'groups.0.title': 'Size',
      'groups.0.items.3.product': '7',
      'groups.0.items.9.product': '',
    };
    expect(read(z.object({ groups: rowsOf(Group) }), form)).toEqual({
      groups: [{ title: 'Size', items: [{ product: '7' }] }],
    });
  });

  it('counts only the named parts, if any', () => {
    const Rate = z.object({ country: z.string(), mode: z.string() });
    const form = { 'rates.0.country': '', 'rates.0.mode': 'flat' };
    expect(read(z.object({ rates: rowsOf(Rate, ['country']) }), form)).toEqual({ rates: [] });
  });
});

describe('the buttons of rows', () => {
  const sent = { name: ['Song'], 'links.0.title': ['A'], 'links.3.title': ['B'], 'links.3.tag': ['x', 'y'] };
  const press = (button: string) => editedRows({ ...sent, _rows: [button] });
  const titles = (form: object | null) =>
    Object.entries(form ?? {}).flatMap(([field, value]) => (field.endsWith('.title') ? value : []));

  it('add, remove and move rows, and keep what was typed', () => {
    expect(editedRows(sent)).toBeNull();
    expect(press('add links')).toMatchObject({
      name: ['Song'],
      'links.0.title': ['A'],
      'links.1.title': ['B'],
      'links.1.tag': ['x', 'y'],
      'links.2._': [''],
    });
    expect(titles(press('remove links.0'))).toEqual(['B']);
    expect(titles(press('up links.3'))).toEqual(['B', 'A']);
    expect(titles(press('down links.0'))).toEqual(['B', 'A']);
    expect(titles(press('up links.0'))).toEqual(['A', 'B']);
    expect(titles(press('down links.3'))).toEqual(['A', 'B']);
  });

  it.each(['', 'add', 'remove links', 'up links.9', 'remove __proto__.1', 'drop links.0'])(
    'leave the rows alone for %j',
    (button) => expect(titles(press(button))).toEqual(['A', 'B']),
  );
});
