import { beforeAll, describe, expect, it } from 'vitest';
import { expectProblem } from '../../support/contract/endpoint-calls.ts';
import { registerCustomer, withSession } from '../../support/fixtures/selling/customers.ts';
import { type World, world } from '../../support/world.ts';

const PATH = '/customers/me/addresses';
const VIENNA = {
  country: 'AT',
  first_name: 'Ada',
  line1: 'Ringstrasse 1',
  city: 'Wien',
  postal_code: '1010',
};

let shop: World;
beforeAll(async () => {
  shop = await world();
});

/** Registers a customer with these addresses; returns the session and the addresses' ids. */
async function customerWith(...addresses: object[]) {
  const { token } = await registerCustomer(shop);
  const session = withSession(token);
  const ids: string[] = [];
  for (const address of addresses) {
    const made = await shop.post(PATH, address, session);
    expect(made.status, JSON.stringify(made.body)).toBe(201);
    ids.push(made.body.id);
  }
  return { session, ids };
}

/** The ids of a customer's addresses, and which is the default. */
async function listed(session: ReturnType<typeof withSession>) {
  const { data } = (await shop.get(PATH, session)).body;
  const defaults = data.filter(({ is_default }: { is_default: boolean }) => is_default);
  expect(defaults.length).toBe(data.length === 0 ? 0 : 1);
  return { ids: data.map(({ id }: { id: string }) => id), standard: defaults[0]?.id };
}

it('keeps what was given, and shows nothing else', async () => {
  const { session } = await customerWith({ ...VIENNA, label: 'Work' }, { country: 'JP' });
  const { data } = (await shop.get(PATH, session)).body;
  const times = { created_at: expect.any(String), updated_at: expect.any(String) };
  expect(data).toEqual([
    { id: expect.stringMatching(/^adr_/), label: 'Work', is_default: true, ...VIENNA, ...times },
    { id: expect.stringMatching(/^adr_/), is_default: false, country: 'JP', ...times },
  ]);
});

it('changes the given fields only, and removes what is null', async () => {
  const { session, ids } = await customerWith({ ...VIENNA, label: 'Work' });
  const changed = await shop.patch(`${PATH}/${ids[0]}`, { city: 'Graz', label: null, line1: null }, session);
  const { line1: _, ...kept } = VIENNA;
  expect(changed.body).toMatchObject({ ...kept, city: 'Graz', is_default: true });
  expect(changed.body).not.toHaveProperty('label');
  expect(changed.body).not.toHaveProperty('line1');
});

it('always has one default: the first, the one that was chosen, the newest of those that are left', async () => {
  const { session, ids } = await customerWith(VIENNA, VIENNA, VIENNA, { ...VIENNA, is_default: true });
  const [first, second, third, fourth] = ids;
  expect((await listed(session)).standard).toBe(fourth);
  await shop.patch(`${PATH}/${second}`, { is_default: true }, session);
  expect((await listed(session)).standard).toBe(second);
  const refused = await shop.patch(`${PATH}/${second}`, { is_default: false }, session);
  expectProblem(refused, 422, 'validation_error');
  expect(Object.keys(refused.body.errors)).toEqual(['is_default']);
  expect((await shop.patch(`${PATH}/${first}`, { is_default: false }, session)).status).toBe(200);
  expect((await shop.delete(`${PATH}/${second}`, session)).status).toBe(204);
  expect(await listed(session)).toEqual({ ids: [first, third, fourth], standard: fourth });
  for (const id of [first, third, fourth]) await shop.delete(`${PATH}/${id}`, session);
  expect((await listed(session)).ids).toEqual([]);
  expectProblem(await shop.delete(`${PATH}/${first}`, session), 404, 'address_not_found');
});

it('has one default after concurrent changes', async () => {
  const { session, ids } = await customerWith(VIENNA, VIENNA, VIENNA);
  const answers = await Promise.all([
    ...ids.map((id) => shop.patch(`${PATH}/${id}`, { is_default: true }, session)),
    shop.post(PATH, { ...VIENNA, is_default: true }, session),
    shop.delete(`${PATH}/${ids[0]}`, session),
  ]);
  expect(answers.every(({ status }) => status < 300 || status === 404)).toBe(true);
  expect((await listed(session)).ids.length).toBe(3);
});

it('refuses the 21st address, also among concurrent ones', async () => {
  const { session } = await customerWith(...Array<object>(18).fill(VIENNA));
  const answers = await Promise.all(Array.from({ length: 4 }, () => shop.post(PATH, VIENNA, session)));
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 201, 409, 409]);
  const refused = await shop.post(PATH, VIENNA, session);
  expectProblem(refused, 409, 'quota_exceeded');
  expect(refused.body.details).toEqual({ quota: 'addresses', limit: 20 });
});

it('saves an address once for its idempotency key', async () => {
  const { session } = await customerWith();
  const keyed = { headers: { ...session.headers, 'idempotency-key': crypto.randomUUID() } };
  const [first, second] = [await shop.post(PATH, VIENNA, keyed), await shop.post(PATH, VIENNA, keyed)];
  expect(second.body).toEqual(first.body);
  expect((await listed(session)).ids).toEqual([first.body.id]);
});

it('keeps the addresses of others out of reach', async () => {
  const [ada, eve] = [await customerWith(VIENNA), await customerWith()];
  const other = await world();
  const stranger = withSession((await registerCustomer(other)).token);
  for (const [by, session] of [
    [shop, eve.session],
    [other, stranger],
  ] as const) {
    expect((await by.get(PATH, session)).body.data).toEqual([]);
    expectProblem(await by.patch(`${PATH}/${ada.ids[0]}`, { city: 'X' }, session), 404, 'address_not_found');
    expectProblem(await by.delete(`${PATH}/${ada.ids[0]}`, session), 404, 'address_not_found');
  }
  expectProblem(await shop.get(PATH), 401, 'invalid_customer_token');
  expectProblem(await other.get(PATH, ada.session), 401, 'invalid_customer_token');
});

describe('bad input', () => {
  it.each([
    [{}, ['country']],
    [{ country: 'XX' }, ['country']],
    [{ country: 'AT', first_name: 'x'.repeat(121) }, ['first_name']],
    [{ country: 'AT', last_name: ' ' }, ['last_name']],
    [{ country: 'AT', company: 7 }, ['company']],
    [{ country: 'AT', line1: 'x'.repeat(256) }, ['line1']],
    [{ country: 'AT', line2: null }, ['line2']],
    [{ country: 'AT', city: '\0' }, ['city']],
    [{ country: 'AT', region: [] }, ['region']],
    [{ country: 'AT', postal_code: 'x'.repeat(21) }, ['postal_code']],
    [{ country: 'AT', phone: 'x'.repeat(41) }, ['phone']],
    [{ country: 'AT', label: 'x'.repeat(61) }, ['label']],
    [{ country: 'AT', is_default: 'yes' }, ['is_default']],
    [{ country: 'AT', id: 'adr_1' }, ['id']],
  ])('refuses to save %j', async (body, fields) => {
    const { session } = await customerWith();
    const refused = await shop.post(PATH, body, session);
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual(fields);
  });

  it.each([
    { country: null },
    { country: '' },
    { city: '' },
    { label: 7 },
    { is_default: null },
    { zip: '1' },
  ])('refuses to change %j', async (patch) => {
    const { session, ids } = await customerWith(VIENNA);
    const refused = await shop.patch(`${PATH}/${ids[0]}`, patch, session);
    expectProblem(refused, 422, 'validation_error');
    expect(Object.keys(refused.body.errors)).toEqual(Object.keys(patch));
  });
});
