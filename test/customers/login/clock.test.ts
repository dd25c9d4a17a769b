/** Clocks that are set back: what was counted before must not refuse anybody until they are there again. */
import { expect, it } from 'vitest';
import { DAY, moveClock } from '../../../src/kernel/core/clock.ts';
import {
  fromAddress,
  logIn,
  PASSWORD,
  registerCustomer,
  registration,
} from '../../support/fixtures/selling/customers.ts';
import { world } from '../../support/world.ts';

it('refuses neither an address nor an account for the day that a clock was ahead', async () => {
  const shop = await world();
  const ada = await registerCustomer(shop);
  const home = fromAddress('192.0.2.44');
  moveClock(DAY);
  for (let count = 0; count < 20; count++) {
    expect((await logIn(shop, registration().email, 'a wrong guess', home)).status).toBe(401);
  }
  for (let count = 0; count < 6; count++) {
    await logIn(shop, ada.email, 'a wrong guess', fromAddress(`198.51.100.${count}`));
  }
  moveClock(-DAY);
  expect((await logIn(shop, ada.email, PASSWORD, home)).status).toBe(200);
});
