import { expect, it } from 'vitest';
import { fromOwnAddress, logIn, registration } from '../../support/fixtures/selling/customers.ts';
import { world } from '../../support/world.ts';

it('registers eight people at once, and lets six of them log in at once', async () => {
  const shop = await world();
  const people = Array.from({ length: 8 }, () => registration());
  const registered = await Promise.all(
    people.map((who) =>
      shop.post('/customers/register', who, { token: shop.token, headers: fromOwnAddress() }),
    ),
  );
  expect(registered.map(({ status }) => status)).toEqual(people.map(() => 201));
  const some = people.slice(0, 6);
  const logins = await Promise.all(
    some.map(({ email, password }) => logIn(shop, email, password, fromOwnAddress())),
  );
  expect(logins.map(({ status }) => status)).toEqual(some.map(() => 200));
});
