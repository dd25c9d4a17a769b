import { expect, it } from 'vitest';
import { MINUTE, moveClock } from '../../src/kernel/core/clock.ts';
import { asAdmin, fill } from '../support/fixtures/browser.ts';
import { stockedProduct } from '../support/fixtures/catalog/products.ts';
import { otherShard, runMove, shownMove } from '../support/shards/moving.ts';
import { placedOn } from '../support/shards/rows.ts';
import { world } from '../support/world.ts';

/** The super-admin's pages of a tenant's moves. */

const idIn = (html: string): string => /moves\/(mov_\w+)\//.exec(html)?.[1] ?? 'none';

it('starts a move, shows its progress, cancels it, moves and undoes it', async () => {
  const shop = await world();
  await stockedProduct(shop, { name: 'Cup' });
  const [source, target] = [await placedOn(shop), await otherShard(shop)];
  const admin = await asAdmin();
  const page = `/admin/tenants/${shop.slug}/moves`;
  expect((await admin.get(`/admin/tenants/${shop.slug}`)).html).toContain(`href="${page}"`);
  const before = await admin.get(page);
  expect(before.html).toContain(`rows are on ${source}`);
  expect(before.html).toContain('has not moved in the last 90 days');

  expect((await admin.get(`${page}/start`)).html).not.toContain(`value="${source}"`);
  await admin.post(`${page}/start`, { shard: target });
  const running = await admin.get(page);
  const cancelled = idIn(running.html);
  expect(running.html).toMatch(
    new RegExp(`${source} to ${target}[\\s\\S]*>preparing<[\\s\\S]*0 copied[\\s\\S]*0 compared`),
  );
  expect(running.html).toContain('http-equiv="refresh"');
  expect(running.html).not.toContain('Move the tenant');
  await fill(admin, `${page}/${cancelled}/cancel`, `${page}/${cancelled}/cancel`, {});
  await runMove(shop, cancelled);
  expect((await admin.get(page)).html).toContain('>cancelled<');
  expect(await placedOn(shop)).toBe(source);

  await fill(admin, `${page}/start`, `${page}/start`, { shard: target });
  const moved = idIn((await admin.get(page)).html);
  await runMove(shop, moved);
  const after = await admin.get(page);
  expect(after.html).toContain(`rows are on ${target}`);
  expect(after.html).toMatch(/>switched<[\s\S]*[1-9]\d* copied<[\s\S]*[1-9]\d* compared</);
  expect(after.html).not.toContain('http-equiv="refresh"');

  await fill(admin, `${page}/${moved}/undo`, `${page}/${moved}/undo`, {});
  const [back = ''] = /mov_\w+(?=\/cancel)/.exec((await admin.get(page)).html) ?? [];
  expect(await shownMove(shop, back)).toMatchObject({ source: target, target: source });
  moveClock(MINUTE);
  await runMove(shop, back);
  expect((await admin.get(page)).html).toContain(`rows are on ${source}`);
  expect((await shop.get('/products')).body.data).toHaveLength(1);
});

it.each(['start', 'mov_9EkUDNZgv9OZz610fp53pZgo/cancel', 'mov_9EkUDNZgv9OZz610fp53pZgo/undo'])(
  'asks nothing about a tenant or a move that is not there: %s',
  async (question) => {
    const browser = await asAdmin();
    expect((await browser.get(`/admin/tenants/nobody/moves/${question}`)).status).toBe(404);
    const { slug } = await world();
    const status = question === 'start' ? 200 : 404;
    expect((await browser.get(`/admin/tenants/${slug}/moves/${question}`)).status).toBe(status);
  },
);
