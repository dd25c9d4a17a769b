import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import {
  areDeclaredIn,
  FIRST_EU_TENANT_ID,
  jurisdictionOf,
  tenantObject,
} from '../../../src/kernel/data/jurisdiction.ts';

const EU = FIRST_EU_TENANT_ID;

/**
 * The namespace of carts as Cloudflare has it: with the jurisdictions that the local runtime lacks. `calls` records how
 * objects are named, and their options.
 */
function recorded() {
  const calls: unknown[][] = [];
  const part = (jurisdiction: string) =>
    new Proxy(env.CART, {
      get(target, key) {
        if (key === 'jurisdiction') return (inside: string) => part(inside);
        const method: unknown = Reflect.get(target, key, target);
        if (key !== 'getByName' || typeof method !== 'function') return method;
        return (...args: unknown[]) => {
          calls.push([jurisdiction, ...args]);
          return Reflect.apply(method, target, args);
        };
      },
    });
  return { carts: part('none'), calls };
}

it('derives the jurisdiction of a tenant from its id alone', () => {
  expect([1, 42, EU - 1].map(jurisdictionOf)).toEqual([null, null, null]);
  expect([EU, EU + 1, 999_999_999_999_999].map(jurisdictionOf)).toEqual(['eu', 'eu', 'eu']);
});

it('names the objects of tenants without a jurisdiction as ever, where they are wanted', () => {
  const { carts, calls } = recorded();
  const stub = tenantObject(carts, { tenantId: 7 });
  expect(stub.id.toString()).toBe(env.CART.idFromName('7').toString());
  tenantObject(carts, { tenantId: 7, name: '7:cart' });
  tenantObject(carts, { tenantId: 7, name: '7:cart', near: null });
  tenantObject(carts, { tenantId: 7, name: '7:cart', near: 'oc' });
  expect(calls).toEqual([
    ['none', '7', undefined],
    ['none', '7:cart', undefined],
    ['none', '7:cart', undefined],
    ['none', '7:cart', { locationHint: 'oc' }],
  ]);
});

it('creates the objects of a tenant in the EU there, wherever the request comes from', () => {
  const { carts, calls } = recorded();
  for (const near of [undefined, null, 'wnam', 'apac', 'weur', 'eeur'] as const) {
    tenantObject(carts, { tenantId: EU, name: 'cart', near });
  }
  expect(calls).toEqual([
    ...Array.from({ length: 4 }, () => ['eu', 'cart', undefined]),
    ['eu', 'cart', { locationHint: 'weur' }],
    ['eu', 'cart', { locationHint: 'eeur' }],
  ]);
});

it('does without jurisdictions in the local runtime only', () => {
  expect(() => env.CART.jurisdiction('eu')).toThrow('not implemented in workerd');
  const id = tenantObject(env.CART, { tenantId: EU, name: 'cart' }).id;
  expect(id.toString()).toBe(env.CART.idFromName('cart').toString());
  const refusing = new Proxy(env.CART, {
    get: () => () => {
      throw new Error('The jurisdiction is not available to this account.');
    },
  });
  expect(() => tenantObject(refusing, { tenantId: EU })).toThrow('not available to this account');
});

it('takes a jurisdiction for available where every binding is declared to be in it', () => {
  const bindings = ['DB', 'MEDIA'];
  const declared = (EU_BINDINGS?: string) =>
    areDeclaredIn(EU_BINDINGS === undefined ? {} : { EU_BINDINGS }, 'eu', bindings);
  expect([undefined, '', 'DB', 'DBMEDIA', 'MEDIA SEARCH_01'].map(declared)).toEqual([
    ...[false, false, false, false, false],
  ]);
  expect(['DB MEDIA', ' MEDIA  SEARCH_01 DB\n'].map(declared)).toEqual([true, true]);
  expect(areDeclaredIn({}, null, bindings)).toBe(true);
});
