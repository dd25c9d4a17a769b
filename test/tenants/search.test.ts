import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { lazy } from '../support/lazy.ts';
import { measureDatabase } from '../support/storage/database-usage.ts';
import { admin } from '../support/world.ts';

/** The search of the platform's list of tenants. */

const mark = crypto.randomUUID().slice(0, 8);

/** Three tenants of this file, by their slugs. */
const three = lazy(async () => {
  const named = { ada: `Çay ${mark} House`, bob: `Tee ${mark}`, cup: `House of Cups` };
  for (const [slug, name] of Object.entries(named)) {
    const made = await admin('POST', '/tenants', { slug: `x${mark}-${slug}`, name, currency: 'EUR' });
    expect(made.status).toBe(201);
  }
});

const search = async (q: string, more = '') => {
  await three();
  const { status, body } = await admin('GET', `/tenants?q=${encodeURIComponent(q)}${more}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
};

const slugsOf = ({ data }: { data: { slug: string }[] }) => data.map(({ slug }) => slug.split('-').at(-1));

it.each([
  ['the beginning of the slug', `x${mark}`, ['ada', 'bob', 'cup']],
  ['the whole slug', `x${mark}-bob`, ['bob']],
  ['the slug in upper case', `X${mark}-BOB`, ['bob']],
  ['words of the name, without case and accents', `cay ${mark}`, ['ada']],
  ['beginnings of words, in any order', `${mark.slice(0, 6)} hou`, ['ada']],
  ['another word of the slug', `${mark}-bob`, []],
  ['a word that one lacks', `${mark} cup`, []],
  ['no word at all', '!!', []],
])('finds tenants by %s', async (_, q, expected) => {
  const found = await search(q);
  expect([slugsOf(found), found.meta.total]).toEqual([expected, expected.length]);
});

it('finds a tenant by its id, which is what lines of the log have', async () => {
  await three();
  const placed = env.DB.prepare('SELECT tenant_id AS id FROM placements WHERE slug = ?');
  const bob = await placed.bind(`x${mark}-bob`).first<{ id: number }>();
  const found = await search(String(bob?.id), '&limit=100');
  expect(slugsOf(found)).toContain('bob');
  expect(slugsOf(found)).not.toContain('ada');
});

it('pages through what it finds', async () => {
  const first = await search(`x${mark}`, '&limit=2');
  expect([slugsOf(first), first.meta.total, first.meta.total_pages]).toEqual([['ada', 'bob'], 3, 2]);
  const next = await search(`x${mark}`, `&limit=2&cursor=${first.meta.next_cursor}`);
  expect([slugsOf(next), next.meta.next_cursor]).toEqual([['cup'], null]);
});

it.each(['', 'x'.repeat(101)])('refuses %j', async (q) => {
  const { status, body } = await admin('GET', `/tenants?q=${q}`);
  expect([status, Object.keys(body.errors)]).toEqual([422, ['q']]);
});

it('reads no more than a bounded number of names', async () => {
  const all = (await admin('GET', '/tenants?limit=1')).body.meta.total;
  const { read } = await measureDatabase(() => search('nobody-has-this-name'));
  expect(read).toBeLessThan(4 * all + 100);
});
