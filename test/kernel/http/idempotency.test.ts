import { env } from 'cloudflare:workers';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { moveClock } from '../../../src/kernel/core/clock.ts';
import { fetchWith } from '../../support/faults/bindings.ts';
import { failStatements, STORES_RESPONSE } from '../../support/faults/database.ts';
import { SECOND_MASTER_KEY, storeOf } from '../../support/runtime/runtime.ts';
import { send, type World, world } from '../../support/world.ts';
import { create, howMany, keyed, shirt } from './keyed-products.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

describe('an Idempotency-Key', () => {
  it('returns the same response for the same body, marked as a replay', async () => {
    const shop = await world();
    const first = await create(shop, 'one');
    const second = await create(shop, 'one');
    expect([second.status, second.body]).toEqual([201, first.body]);
    expect(second.headers.get('idempotent-replayed')).toBe('true');
    expect(second.headers.get('content-type')).toBe('application/json');
    expect(second.headers.get('x-catalog-version')).toBe(first.headers.get('x-catalog-version'));
    expect(second.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
    expect(second.headers.get('x-ratelimit-limit')).toBe('1200');
    expect(await howMany(shop)).toBe(1);
  });

  it('is rejected with another body or query', async () => {
    const shop = await world();
    await create(shop, 'one');
    for (const body of [
      { ...shirt, price: 11 },
      { ...shirt, name: 'Shirt ' },
    ]) {
      const other = await create(shop, 'one', body);
      expect([other.status, other.body.code]).toEqual([422, 'idempotency_key_reused']);
    }
    const headers = { 'idempotency-key': 'query', 'content-type': 'text/csv' };
    const sent = (query: string) =>
      shop.post(`/imports/products${query}`, undefined, { raw: 'Handle,Title\na,A\n', headers });
    expect((await sent('')).status).toBe(202);
    const query = await sent('?stock=set');
    expect([query.status, query.body.code]).toEqual([422, 'idempotency_key_reused']);
    expect(await howMany(shop)).toBe(1);
  });

  it('is rejected with other bytes of the same meaning', async () => {
    const shop = await world();
    const text = JSON.stringify(shirt);
    const send = (raw: string, path = '/products') => {
      const headers = { 'idempotency-key': path, 'content-type': 'application/json' };
      return shop.post(path, undefined, { raw, headers });
    };
    expect((await send(text)).status).toBe(201);
    for (const other of [`\ufeff${text}`, `${text} `, text.replace('10', '10.0')]) {
      expect((await send(other)).body.code).toBe('idempotency_key_reused');
    }
    expect((await send(text)).headers.get('idempotent-replayed')).toBe('true');
    expect((await send('{}', '/cart')).status).toBe(201);
    for (const other of ['', '\ufeff{}']) {
      expect((await send(other, '/cart')).body.code).toBe('idempotency_key_reused');
    }
  });

  it('is recognized after a new master key was added', async () => {
    const shop = await world();
    const post = (bindings: Env, key: string) =>
      fetchWith(bindings, 'POST', '/v1/products', shop.token, {
        body: JSON.stringify({ ...shirt, slug: key }),
        headers: { 'idempotency-key': key, 'content-type': 'application/json' },
      });
    const rotated: Env = { ...env, ...SECOND_MASTER_KEY };
    for (const [key, bindings] of [
      ['before', env],
      ['after', rotated],
    ] as const) {
      const first = await post(bindings, key);
      expect(first.status).toBe(201);
      const retry = await post(rotated, key);
      expect([retry.status, retry.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
      expect(await retry.json()).toEqual(await first.json());
    }
    // A run that died before its answer was kept, too.
    const restore = failStatements(STORES_RESPONSE);
    const lost = await post(env, 'lost');
    restore();
    moveClock(31_000);
    expect(await (await post(rotated, 'lost')).json()).toEqual(await lost.json());
  });

  /** Sends a file under a key, with its length declared or piece by piece. */
  const upload = (shop: World, file: string | Buffer<ArrayBuffer>, pieces = false, type = 'text/csv') => {
    const headers = { 'idempotency-key': 'file', 'content-type': type };
    const raw = pieces ? new Blob([file]).stream() : new Blob([file]);
    return shop.post('/imports/products', undefined, { raw, headers });
  };

  it('is rejected with another file of the same length', async () => {
    const shop = await world();
    const first = await upload(shop, 'Handle,Title\na,A\n');
    expect(first.status).toBe(202);
    for (const other of ['Handle,Title\nb,Beta\n', 'Handle,Title\nb,B\n', '']) {
      expect((await upload(shop, other)).body.code).toBe('idempotency_key_reused');
    }
    for (const pieces of [false, true]) {
      const again = await upload(shop, 'Handle,Title\na,A\n', pieces);
      expect([again.status, again.body]).toEqual([202, first.body]);
      expect(again.headers.get('idempotent-replayed')).toBe('true');
    }
    expect((await shop.get('/imports')).body.meta.total).toBe(1);
  });

  it.each(['text/csv', 'text/csv; charset=windows-1252'])(
    'recognizes the file whose response was lost, and no other: %s',
    async (type) => {
      const shop = await world();
      const send = (file: string) => upload(shop, Buffer.from(file, 'latin1'), false, type);
      const restore = failStatements(STORES_RESPONSE);
      const first = await send('Handle,Title\na,Ä\n');
      restore();
      expect(first.status).toBe(202);
      moveClock(31_000);
      expect((await send('Handle,Title\na,Ö\n')).body.code).toBe('idempotency_key_reused');
      expect((await send('Handle,Title\na,Ä\n')).body).toEqual(first.body);
      expect((await shop.get('/imports')).body.meta.total).toBe(1);
    },
  );

  it('has one effect in a hundred concurrent calls; early ones are asked to retry', async () => {
    const shop = await world();
    const answers = await Promise.all(Array.from({ length: 100 }, () => create(shop, 'one')));
    const made = answers.filter(({ status }) => status === 201);
    const early = answers.filter(({ status }) => status === 409);
    expect(made.length + early.length).toBe(100);
    expect(new Set(made.map(({ body }) => body.id)).size).toBe(1);
    expect(made.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    for (const { body, headers } of early) {
      expect([body.code, headers.get('retry-after')]).toEqual(['idempotency_in_progress', '1']);
    }
    expect((await create(shop, 'one')).body.id).toBe(made[0]?.body.id);
    expect(await howMany(shop)).toBe(1);
  });

  it('is scoped to application, method and path', async () => {
    const shop = await world();
    const other = await shop.register({ kind: 'integration' });
    const first = await create(shop, 'one');
    const theirs = await send('POST', '/v1/products', {
      token: other.token,
      body: { ...shirt, name: 'Other' },
      ...keyed('one'),
    });
    const category = await shop.post('/categories', { name: 'Shirts' }, keyed('one'));
    expect([theirs.status, category.status]).toEqual([201, 201]);
    expect(theirs.body.id).not.toBe(first.body.id);
    expect((await create(await world(), 'one')).headers.has('idempotent-replayed')).toBe(false);
    const patched = await shop.patch(`/products/${first.body.id}`, { price: 3 }, keyed('one'));
    expect((await shop.patch(`/products/${first.body.id}`, { price: 4 }, keyed('one'))).status).toBe(200);
    expect(patched.headers.has('idempotent-replayed')).toBe(false);
  });

  it('is scoped to the customer if the call has one', async () => {
    const shop = await world();
    const session = async (email: string) => {
      const person = { name: 'Ada', email, password: 'correct horse battery' };
      return (await shop.post('/customers/register', person)).body.token as string;
    };
    const [ada, bob] = [await session('ada@example.com'), await session('bob@example.com')];
    const logout = (token: string) =>
      shop.post('/customers/logout', undefined, {
        headers: { 'idempotency-key': 'bye', 'x-customer-token': token },
      });
    expect((await logout(ada)).status).toBe(200);
    expect((await logout(ada)).headers.get('idempotent-replayed')).toBe('true');
    expect((await logout(bob)).body.code).toBe('idempotency_key_reused');
  });

  it('has 1 to 255 characters', async () => {
    const shop = await world();
    expect((await create(shop, 'k'.repeat(255))).status).toBe(201);
    for (const key of ['k'.repeat(256), 'k'.repeat(5_000), '']) {
      const answer = await create(shop, key);
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['Idempotency-Key']]);
    }
  });

  it('expires after 24 hours', async () => {
    const shop = await world();
    const first = await create(shop, 'one');
    moveClock(23 * 3600_000);
    expect((await create(shop, 'one')).body.id).toBe(first.body.id);
    moveClock(1.1 * 3600_000);
    const later = await create(shop, 'one', { ...shirt, name: 'Another shirt' });
    expect(later.status).toBe(201);
    expect(later.body.id).not.toBe(first.body.id);
  });

  it('stores its response encrypted', async () => {
    const shop = await world();
    const key = crypto.randomUUID();
    const path = `/admin/v1/tenants/${shop.slug}/applications`;
    const call = () =>
      send('POST', path, {
        token: env.SUPER_ADMIN_TOKEN,
        body: { name: 'App', kind: 'mobile' },
        ...keyed(key),
      });
    const { token } = (await call()).body;
    expect((await call()).body.token).toBe(token);
    const kept = storeOf(shop)
      .prepare('SELECT * FROM idempotency_keys WHERE tenant_id = ?')
      .bind(shop.tenantId);
    const rows = await kept.all();
    const stored = JSON.stringify(rows.results);
    expect(rows.results.length).toBeGreaterThan(0);
    for (const part of [token, token.split('_')[3], key]) expect(stored).not.toContain(part);
  });
});
