/** A call with an Idempotency-Key has one effect, also if the tenant has moved before it is repeated. */
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { runMove, startMove } from '../support/shards/moving.ts';
import { send, world } from '../support/world.ts';

it('creates an application and rotates its token once by calls of the platform API', async () => {
  const shop = await world();
  const path = `/admin/v1/tenants/${shop.slug}/applications`;
  const call = (to: string, key: string, more: { body?: object } = {}) =>
    send('POST', to, { token: env.SUPER_ADMIN_TOKEN, headers: { 'idempotency-key': key }, ...more });
  const create = () => call(path, 'create-till', { body: { name: 'Till', kind: 'integration' } });
  const made = await create();
  expect(made.status).toBe(201);
  const rotate = () => call(`${path}/${made.body.id}/rotate`, 'rotate-till');
  const rotated = await rotate();
  expect((await rotate()).body).toEqual(rotated.body);
  await runMove(shop, await startMove(shop));
  expect((await create()).body).toEqual(made.body);
  expect((await rotate()).body).toEqual(rotated.body);
});
