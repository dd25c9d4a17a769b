/** Choices of a bundle whose form is sent again, or after the choice was removed. */
import { expect, it } from 'vitest';
import { fieldsOf } from '../../../support/fixtures/browser.ts';
import { createProduct } from '../../../support/fixtures/catalog/products.ts';
import { editor } from './editor.ts';

/** A cup, and a bundle in which it is the only choice. */
async function bundle() {
  const made = await editor({ name: 'Cup', sku: 'CUP', price: 5 });
  const { shop, id: cup } = made;
  const bundle_groups = [{ title: 'Cup', items: [{ product_id: cup }] }];
  const { body } = await createProduct(shop, { name: 'Set', sku: 'SET', type: 'bundled', bundle_groups });
  const path = `/developer/products/${body.id}/choices`;
  const titles = async (): Promise<string[]> => {
    const stored = await shop.get(`/products/${body.id}?status=all`);
    return stored.body.bundle_groups.map(({ title }: { title: string }) => title);
  };
  return { ...made, cup, path, titles };
}

it('adds a choice to a bundle once when its form is sent twice, and again by another form', async () => {
  const { developer, cup, path, titles } = await bundle();
  const add = `${path}/new`;
  const opened = async () => ({
    ...fieldsOf((await developer.get(add)).html, add),
    title: 'Saucer',
    add: String(cup),
  });
  const form = await opened();
  for (const _ of ['once', 'twice']) expect((await developer.post(add, form)).status).toBe(303);
  expect(await titles()).toEqual(['Cup', 'Saucer']);
  expect((await developer.post(add, await opened())).status).toBe(303);
  expect(await titles()).toEqual(['Cup', 'Saucer', 'Saucer']);
});

it('adds no choice by the form of one that was removed meanwhile', async () => {
  const { developer, cup, path, titles } = await bundle();
  await developer.get(`${path}/new`);
  const add = fieldsOf(developer.last.html, `${path}/new`);
  await developer.post(`${path}/new`, { ...add, title: 'Saucer', add: String(cup) });
  const { html } = await developer.get(path);
  const removed = [...html.matchAll(/\/choices\/(\d+)"/g)].at(-1)?.[1];
  const here = `${path}/${removed}`;
  const form = fieldsOf((await developer.get(here)).html, here);
  const list = fieldsOf((await developer.get(path)).html, path);
  const kept = Object.entries(list).filter(([name]) => !name.startsWith('bundle_groups.1.'));
  expect((await developer.post(path, Object.fromEntries(kept))).status).toBe(303);
  expect(await titles()).toEqual(['Cup']);
  expect((await developer.get(here)).status).toBe(404);
  expect((await developer.post(here, { ...form, title: 'Plate' })).status).toBe(404);
  expect(await titles()).toEqual(['Cup']);
});
