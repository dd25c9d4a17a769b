import { expect, it } from 'vitest';
import { PLANS } from '../../src/tenants/index.ts';
import { expectProblem } from '../support/contract/endpoint-calls.ts';
import { setUsed } from '../support/fixtures/quotas.ts';
import { storeOf } from '../support/runtime/runtime.ts';
import { type World, world } from '../support/world.ts';
import { objectsOf, png, upload, uploaded } from './images.ts';

const used = async ({ tenantId }: World, quota: string) =>
  storeOf({ tenantId })
    .prepare('SELECT total FROM quota_counts WHERE tenant_id = ? AND quota = ?')
    .bind(tenantId, quota)
    .first<number>('total');

it('bounds the bytes of all images, to the byte, and stores nothing beyond', async () => {
  const shop = await world({ plan: 'starter' });
  const limit = PLANS.starter.quotas.media_bytes;
  const [first, second] = [png(9, 9), png(10, 10)];
  await setUsed(shop, 'media_bytes', limit - first.length);
  const kept = await uploaded(shop, first);
  const refused = await upload(shop, second);
  expectProblem(refused, 409, 'quota_exceeded');
  expect(refused.body.details).toEqual({ quota: 'media_bytes', limit });
  expect(refused.body.message).toBe('The plan allows no more than 1,024 MiB of images.');
  expect(await objectsOf(shop)).toHaveLength(1);
  expect(await used(shop, 'media_bytes')).toBe(limit);
  // An image that is stored already takes no further space.
  expect((await uploaded(shop, first)).id).toBe(kept.id);
  expect((await shop.delete(`/media/${kept.id}`)).status).toBe(204);
  expect(await used(shop, 'media_bytes')).toBe(limit - first.length);
});

it('names the quota of images that is used up, also beside another one that a smaller plan left exceeded', async () => {
  const shop = await world({ plan: 'starter' });
  await setUsed(shop, 'categories', 5_000);
  await setUsed(shop, 'media_bytes', PLANS.starter.quotas.media_bytes);
  const large = await upload(shop, png(9, 9));
  expectProblem(large, 409, 'quota_exceeded');
  expect(large.body.details.quota).toBe('media_bytes');
  await setUsed(shop, 'media', PLANS.starter.quotas.media);
  const one = await upload(shop, png(9, 9));
  expectProblem(one, 409, 'quota_exceeded');
  expect(one.body.details.quota).toBe('media');
});

it('bounds the number of images, and stores nothing beyond', async () => {
  const shop = await world({ plan: 'starter' });
  await setUsed(shop, 'media', PLANS.starter.quotas.media);
  const refused = await upload(shop, png(9, 9));
  expectProblem(refused, 409, 'quota_exceeded');
  expect(refused.body.details.quota).toBe('media');
  expect(await objectsOf(shop)).toEqual([]);
});

it('is 1, 20 or 200 GiB, by plan', () => {
  const gib = Object.values(PLANS).map(({ quotas }) => quotas.media_bytes / 1024 ** 3);
  expect(gib).toEqual([1, 20, 200]);
});

it('counts an image once, however often and concurrently it comes', async () => {
  const shop = await world();
  const bytes = png(9, 10);
  const [one] = await Promise.all(Array.from({ length: 5 }, () => uploaded(shop, bytes)));
  expect([await used(shop, 'media'), await used(shop, 'media_bytes')]).toEqual([1, bytes.length]);
  await shop.delete(`/media/${one.id}`);
  expect([await used(shop, 'media'), await used(shop, 'media_bytes')]).toEqual([0, 0]);
  await uploaded(shop, bytes);
  expect([await used(shop, 'media'), await used(shop, 'media_bytes')]).toEqual([1, bytes.length]);
});
