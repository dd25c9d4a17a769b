import { afterEach, expect, it } from 'vitest';
import { HOUR, moveClock } from '../../../src/kernel/core/clock.ts';
import { admin, type World, world } from '../../support/world.ts';

let back = 0;

/** Sets the clock back, as a host that is synchronized or replaced does. */
function setClockBack(): void {
  back += HOUR;
  moveClock(-HOUR);
}

afterEach(() => {
  moveClock(back);
  back = 0;
});

/** The status of a read, two seconds after what was changed. */
async function statusLater(shop: World): Promise<number> {
  moveClock(2_000);
  return (await shop.get('/theme/options')).status;
}

it('a suspension holds also after the clock was set back', async () => {
  const shop = await world();
  expect((await shop.get('/theme/options')).status).toBe(200);
  setClockBack();
  await admin('PATCH', `/tenants/${shop.slug}`, { status: 'suspended' });
  expect(await statusLater(shop)).toBe(403);
});

it('a token that is set passive is refused also after the clock was set back', async () => {
  const shop = await world();
  expect((await shop.get('/theme/options')).status).toBe(200);
  setClockBack();
  await admin('PATCH', `/tenants/${shop.slug}/applications/${shop.applicationId}`, { status: 'passive' });
  expect(await statusLater(shop)).toBe(401);
});
