import { listDurableObjectIds, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { unseal } from '../../../src/kernel/crypto/crypto.ts';
import { mainDatabases, searchDatabases } from '../../../src/kernel/shards/shard-names.ts';
import { storeOf } from '../runtime/runtime.ts';

/** The content of each store as text, by the store's name. */
type Dump = Map<string, string>;

async function dumpDatabase(name: string, into: Dump): Promise<void> {
  const bound: D1Database = Reflect.get(env, name);
  const tables = await bound
    .prepare("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'")
    .all<{ name: string }>();
  for (const { name: table } of tables.results) {
    const { results } = await bound.prepare(`SELECT * FROM "${table}"`).all();
    into.set(`${name}.${table}`, JSON.stringify(results));
  }
}

/** A tenant whose sealed answers are opened. */
interface Tenant {
  readonly tenantId: number;
}

/** Unseals what is stored under a tenant's idempotency keys: other tests seal theirs with other master keys. */
async function dumpKeptAnswers(tenant: Tenant, into: Dump): Promise<void> {
  const { results } = await storeOf(tenant)
    .prepare('SELECT answer FROM idempotency_keys WHERE tenant_id = ? AND answer IS NOT NULL')
    .bind(tenant.tenantId)
    .all<{ answer: string }>();
  const opened = await Promise.all(results.map(({ answer }) => unseal(env, 'idempotency', answer)));
  into.set('opened idempotency_keys', opened.join('\n'));
}

/** The SQL tables and the key-value pairs of every object of a class. */
async function dumpObjects(name: string, namespace: DurableObjectNamespace, into: Dump): Promise<void> {
  for (const id of await listDurableObjectIds(namespace)) {
    const text = await runInDurableObject(namespace.get(id), async (_, { storage }) => {
      const tables = storage.sql
        .exec<{ name: string }>(
          "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
        )
        .toArray();
      const rows = tables.map(({ name: table }) => storage.sql.exec(`SELECT * FROM "${table}"`).toArray());
      return JSON.stringify([rows, [...storage.kv.list()]]);
    });
    into.set(`${name} ${id}`, text);
  }
}

async function dumpCache(into: Dump): Promise<void> {
  for (let cursor: string | null = null; ; ) {
    const page: KVNamespaceListResult<unknown> = await env.CACHE.list({ cursor });
    for (const { name } of page.keys) into.set(`CACHE ${name}`, (await env.CACHE.get(name)) ?? '');
    if (page.list_complete) return;
    cursor = page.cursor;
  }
}

/** Returns everything stored, store by store: databases, objects, cache, and a tenant's sealed responses, opened. */
export async function dumpStores(tenant: Tenant): Promise<Dump> {
  const dump: Dump = new Map();
  for (const name of [...mainDatabases(env), ...searchDatabases(env)]) await dumpDatabase(name, dump);
  await dumpKeptAnswers(tenant, dump);
  await dumpCache(dump);
  for (const [name, namespace] of Object.entries({
    TENANT: env.TENANT,
    RATE_LIMITER: env.RATE_LIMITER,
    REQUEST_LOG: env.REQUEST_LOG,
    WEBHOOK_ENDPOINT: env.WEBHOOK_ENDPOINT,
    CART: env.CART,
    LOGIN_GUARD: env.LOGIN_GUARD,
    SALE_SCHEDULE: env.SALE_SCHEDULE,
    PLATFORM_DIRECTORY: env.PLATFORM_DIRECTORY,
    LIST_INDEX: env.LIST_INDEX,
    LOGIN_GATE: env.LOGIN_GATE,
  })) {
    // Each namespace's own type of stub says nothing that is needed here.
    await dumpObjects(name, namespace as unknown as DurableObjectNamespace, dump);
  }
  return dump;
}

/** Returns the names of the stores that have one of these words, with the words that they have. */
export const storesWith = (dump: Dump, words: readonly string[]): string[] =>
  [...dump].flatMap(([name, text]) => {
    const found = words.filter((word) => text.toLowerCase().includes(word.toLowerCase()));
    return found.length > 0 ? [`${name}: ${found.join(', ')}`] : [];
  });
