/**
 * A client that another generator (openapi-typescript-codegen) makes of the service's OpenAPI document compiles under
 * strict TypeScript, and makes a purchase against the running service.
 */
import { deepEqual } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { generate } from 'openapi-typescript-codegen';
import { openShop, type Shop } from './shopper/shop.ts';

const root = join(import.meta.dirname, '../..');
const PURCHASE = join(root, 'scripts/second-client/purchase.ts');
const folder = mkdtempSync(join(tmpdir(), 'second-client-'));
const output = join(folder, 'client');
let shop: Shop;

/** What is read of the order that `purchase` returns. */
interface Bought {
  readonly status: string;
  readonly payment_status: string;
  readonly items: readonly { readonly product_id: number; readonly quantity: number }[];
}
type Purchase = (base: string, token: string, productId: number) => Promise<Bought>;

before(async () => {
  shop = await openShop('second-client');
  const document = await fetch(`${shop.base}/v1/openapi.json`);
  const input = join(folder, 'openapi.json');
  writeFileSync(input, await document.text());
  await generate({ input, output, httpClient: 'fetch', useOptions: true, useUnionTypes: true });
});

after(async () => {
  await shop?.stop();
  rmSync(folder, { recursive: true });
});

test('compiles under strict TypeScript', async () => {
  const config = join(folder, 'tsconfig.json');
  const compilerOptions = {
    strict: true,
    noEmit: true,
    target: 'es2024',
    lib: ['es2024', 'dom', 'dom.iterable'],
    types: ['node'],
    typeRoots: [join(root, 'node_modules/@types')],
    module: 'esnext',
    moduleResolution: 'bundler',
    paths: { 'second-client': ['./client/index.ts'] },
  };
  writeFileSync(config, JSON.stringify({ compilerOptions, include: [output, PURCHASE] }));
  await promisify(execFile)(join(root, 'node_modules/.bin/tsc'), ['-p', config]);
});

test('makes a purchase', async () => {
  const outfile = join(folder, 'purchase.mjs');
  await build({
    entryPoints: [PURCHASE],
    outfile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    alias: { 'second-client': join(output, 'index.ts') },
  });
  const { purchase }: { purchase: Purchase } = await import(outfile);
  const checkout = { allowed_hosts: ['shop.example.com'], external_url: 'https://shop.example.com/pay' };
  await shop.api('PATCH', '/v1/settings', { checkout });
  const cup = { type: 'simple', name: 'Stoneware cup', price: 14.5, stock: 5 };
  const { id } = await shop.api<{ id: number }>('POST', '/v1/products', cup);
  const order = await purchase(shop.base, shop.token, id);
  const bought = order.items.map(({ product_id, quantity }) => [product_id, quantity]);
  deepEqual([order.status, order.payment_status, bought], ['paid', 'paid', [[id, 2]]]);
});
