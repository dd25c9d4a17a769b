/** Checks messages of the Universal Commerce Protocol against its official schemas, if UCP_SCHEMAS names them. */
import { Validator } from '@cfworker/json-schema';
import { expect, inject } from 'vitest';

const BASE = 'https://ucp.dev/schemas';
const validators = new Map<string, Validator>();

/** Whether the official schemas are there. */
const hasOfficialSchemas = (): boolean => inject('ucpSchemas').length > 0;

function validatorOf(schema: object): Validator {
  const key = JSON.stringify(schema);
  const known = validators.get(key);
  if (known) return known;
  const made = new Validator({ $id: `${BASE}/of-a-test.json`, ...schema }, '2020-12', false);
  for (const text of inject('ucpSchemas')) {
    const one = JSON.parse(text);
    // The profile's own $id is one folder deeper than its references say.
    const $id = one.$id.replace('/schemas/discovery/', '/discovery/');
    made.addSchema({ ...one, $id }, $id);
  }
  validators.set(key, made);
  return made;
}

/** Asserts that a message matches an official schema: `shopping/catalog_search.json#/$defs/search_response`. */
export function expectOfficial(schema: string | object, value: unknown): void {
  if (!hasOfficialSchemas()) return;
  const wanted = typeof schema === 'string' ? { $ref: `${BASE}/${schema}` } : schema;
  const { errors } = validatorOf(wanted).validate(value);
  const texts = errors.map((error) => `${error.instanceLocation}: ${error.error}`);
  expect(texts, `${JSON.stringify(wanted)} ← ${JSON.stringify(value).slice(0, 2_000)}`).toEqual([]);
}

/** The official schema of each operation's success, by the capabilities that its envelope names. */
const ROOTS: Readonly<Record<string, string>> = {
  search_catalog: 'shopping/catalog_search.json#/$defs/search_response',
  lookup_catalog: 'shopping/catalog_lookup.json#/$defs/lookup_response',
  get_product: 'shopping/catalog_lookup.json#/$defs/get_product_response',
  create_cart: 'shopping/cart.json',
  get_cart: 'shopping/cart.json',
  update_cart: 'shopping/cart.json',
  cancel_cart: 'shopping/cart.json',
  create_checkout: 'shopping/checkout.json',
  get_checkout: 'shopping/checkout.json',
  update_checkout: 'shopping/checkout.json',
  complete_checkout: 'shopping/checkout.json',
  cancel_checkout: 'shopping/checkout.json',
  get_order: 'shopping/order.json',
};

/** The extensions' schemas of a root capability. */
const EXTENSIONS: readonly (readonly [name: string, file: string])[] = [
  ['dev.ucp.shopping.fulfillment', 'shopping/fulfillment.json'],
  ['dev.ucp.shopping.discount', 'shopping/discount.json'],
  ['dev.ucp.shopping.buyer_consent', 'shopping/buyer_consent.json'],
];

/** Fails the test unless the body of an operation's response matches the schemas composed of its capabilities. */
export function expectOfficialBody(operation: string, capability: string, body: { ucp: Envelope }): void {
  if (body.ucp.status === 'error') {
    expectOfficial('shopping/types/error_response.json', body);
    return;
  }
  const active = EXTENSIONS.filter(([name]) => name in (body.ucp.capabilities ?? {}));
  const extended = active.map(([, file]) => ({ $ref: `${BASE}/${file}#/$defs/${capability}` }));
  expectOfficial({ allOf: [{ $ref: `${BASE}/${ROOTS[operation]}` }, ...extended] }, body);
}

interface Envelope {
  readonly status?: string;
  readonly capabilities?: object;
}
