import { expect, it } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { holdBody } from '../support/faults/slow-request.ts';
import { importFile } from '../support/fixtures/catalog/imports.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { admin, send, world } from '../support/world.ts';

const FILE = 'Handle,Title,Variant Price,Variant Inventory Qty\nmug,Mug,12,70\n';
const CSV = { 'content-type': 'text/csv' };
const NO_STOCK = ['catalog:read', 'catalog:write'] as const;
const PATH = '/v1/imports/products?stock=set';

it('sets the stock of existing products only with the scope that changes stock', async () => {
  const shop = await world();
  const { body: mug } = await stockedProduct(shop, { name: 'Mug', slug: 'mug', stock: 3 });
  const { token } = await shop.register({ kind: 'integration', scopes: [...NO_STOCK] });
  for (const query of ['', '&dry_run=true']) {
    const refused = await send('POST', `${PATH}${query}`, { token, raw: FILE, headers: CSV });
    expectProblem(refused, 403, 'insufficient_scope');
    expect(refused.body.details).toEqual({ required_scope: 'inventory:write' });
  }
  const imported = await send('POST', '/v1/imports/products', { token, raw: FILE, headers: CSV });
  expect(imported.status).toBe(202);
  expect((await shop.get('/imports')).body.meta.total).toBe(1);
  const { body } = await shop.get(`/products/${mug.id}`);
  expect(body.stock).toBe(3);
  expect(await importFile(shop, FILE, '?stock=set')).toMatchObject({ updated: 1, failed: 0 });
});

it('does not set stock if the application lost that scope while the file arrived', async () => {
  const shop = await world();
  const held = holdBody('POST', PATH, FILE, { authorization: `Bearer ${shop.token}`, ...CSV });
  await held.reached;
  await admin('PATCH', `/tenants/${shop.slug}/applications/${shop.applicationId}`, { scopes: NO_STOCK });
  moveClock(3_000);
  const response = await held.finish();
  expect([response.status, (await response.json<{ code: string }>()).code]).toEqual([
    403,
    'insufficient_scope',
  ]);
  expect((await shop.get('/imports')).body.meta.total).toBe(0);
});
