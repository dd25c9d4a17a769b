import nodeCrypto from 'node:crypto';
import { expect, vi } from 'vitest';
import type { Options, World } from '../support/world.ts';

const scrypt = nodeCrypto.scryptSync;

/** A password that every customer of these tests begins with. */
export const PASSWORD = 'correct horse battery';

let count = 0;

/** What registers a customer of its own. */
export const person = (more: object = {}) => {
  count += 1;
  return {
    name: 'Ada Lovelace',
    email: `ada${count}-${crypto.randomUUID()}@example.com`,
    password: PASSWORD,
    ...more,
  };
};

/** The header of a session. */
export const as = (token: string, headers: Record<string, string> = {}): Options => ({
  headers: { 'x-customer-token': token, ...headers },
});

/** The header of a shopper's address, which an application that is `server_side` may send. */
export const from = (address: string): Record<string, string> => ({ 'x-buyer-ip': address });

/** An address that no other person of the tests has. */
export function home(): Record<string, string> {
  count += 1;
  return from(`10.${count >> 16}.${(count >> 8) & 255}.${count & 255}`);
}

/** Registers a customer from an address of their own; returns who it is and its session. */
export async function customer(shop: World, more: object = {}) {
  const who = person(more);
  const made = await shop.post('/customers/register', who, { token: shop.token, headers: home() });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return { ...who, id: made.body.customer.id as number, token: made.body.token as string };
}

/** Logs in. */
export const login = (
  shop: World,
  email: string,
  password = PASSWORD,
  headers: Record<string, string> = {},
) => shop.post('/customers/login', { email, password }, { token: shop.token, headers });

/** Lets passwords be hashed at a thousandth of their cost, where a test makes many and asks for nothing else. */
export function quickHashes(): void {
  vi.spyOn(nodeCrypto, 'scryptSync').mockImplementation((password, salt, length) =>
    scrypt(password, salt, length, { N: 16, r: 8, p: 1 }),
  );
}
