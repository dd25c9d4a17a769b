import { type Running, run, SERVICE, type Setting, type Source } from '../scripts/build/bundle.ts';
import type { Answer } from './baselines/answer.ts';
import type { Address } from './load.ts';
import { cpuSeconds, memory, workerds } from './process.ts';

/** Constant over runs, so that the tokens of stored worlds stay valid. */
export const VARS = {
  SUPER_ADMIN_TOKEN: 'bench-super-admin-token-0000000000000000',
  MASTER_KEY_V1: 'YmVuY2gtbWFzdGVyLWtleS1iZW5jaC1tYXN0ZXIta2V5',
};
const COUNTING: Source = { ...SERVICE, entry: 'bench/entry.ts' };
const APART: Source = { ...SERVICE, entry: 'bench/apart/entry.ts' };
const DATABASES: Source = {
  entry: 'bench/apart/databases.ts',
  config: 'bench/apart/databases.toml',
  worker: 'databases',
};

/** Returns the source of a Worker below bench/baselines. */
const baseline = (name: string, config: string): Source => ({
  entry: `bench/baselines/${name}.ts`,
  config: `bench/baselines/${config}.toml`,
  worker: 'baseline',
});

/** A Worker in its own workerd process, with that process's CPU and memory use. */
export interface Measured extends Running {
  /** Where load is sent: the direct socket. */
  readonly address: Address;
  /** CPU seconds used so far; NaN without /proc. */
  cpu(): number;
  /** Resident memory in MiB; NaN without /proc. */
  memory(): number;
}

async function measured(
  source: Source,
  name: string,
  { vars = {}, ...setting }: Setting & { readonly vars?: Record<string, string> } = {},
): Promise<Measured> {
  const before = workerds();
  const running = await run(source, name, { ...VARS, ...vars }, setting);
  const pid = workerds().find((one) => !before.includes(one)) ?? Number.NaN;
  return {
    ...running,
    address: { host: running.direct.hostname, port: Number(running.direct.port) },
    cpu: () => cpuSeconds(pid),
    memory: () => memory(pid),
  };
}

/** The framework with one small answer; the framework, and a plain handler, with an answer of the service. */
export const bareHono = (): Promise<Measured> => measured(baseline('hono', 'plain'), 'hono');
export const answering = (by: 'hono' | 'fetch', answer: Answer): Promise<Measured> =>
  measured(baseline(`${by}-answer`, 'plain'), `${by}-answer`, { vars: { ANSWER: JSON.stringify(answer) } });
/**
 * One Durable Object call, with a small answer or one of the service; one batch of the D1 database with the main shop's
 * rows. All store in a folder.
 */
export const bareObject = (folder: string): Promise<Measured> =>
  measured(baseline('object', 'object'), 'object', { folder });
export const answeringObject = (folder: string, answer: Answer): Promise<Measured> =>
  measured(baseline('object-answer', 'object'), 'object-answer', {
    folder,
    vars: { ANSWER: JSON.stringify(answer) },
  });
export const bareD1 = (folder: string, shards: number): Promise<Measured> =>
  measured(baseline('d1', 'd1'), 'd1', { folder, databases: shards === 1 ? {} : { DB: 'SHARD_02' } });

/** What a deployment of the service has besides its data. */
interface Deployment {
  readonly vars?: Record<string, string>;
  /** How many shards it has; one unless given. */
  readonly shards?: number;
}

/** Returns the bindings of the databases of shards from the second on, which are their ids too. */
export const furtherDatabases = (shards: number): string[] =>
  Array.from({ length: shards - 1 }, (_, n) => String(n + 2).padStart(2, '0')).flatMap((number) => [
    `SHARD_${number}`,
    `SEARCH_${number}`,
  ]);

const databasesOf = (shards: number): Readonly<Record<string, string>> =>
  Object.fromEntries(furtherDatabases(shards).map((binding) => [binding, binding]));

/** The service on a folder of data; the same with counting bindings. */
export const service = (folder: string, { vars = {}, shards = 1 }: Deployment = {}): Promise<Measured> =>
  measured(SERVICE, 'worker', { folder, vars, databases: databasesOf(shards) });
export const counting = (folder: string, { shards = 1 }: Deployment = {}): Promise<Measured> =>
  measured(COUNTING, 'counting', { folder, databases: databasesOf(shards) });
/** Two processes of the service for two tenants, and one with the databases of both, as each has on the platform. */
export interface Apart {
  readonly busy: Measured;
  readonly calm: Measured;
  stop(): Promise<void>;
}

/** Starts the service apart from its databases, which are those of a folder. Objects and caches begin empty. */
export async function apart(folder: string): Promise<Apart> {
  const databases = await measured(DATABASES, 'databases', { folder });
  const own = { vars: { DATABASES_URL: databases.direct.origin } };
  const busy = await measured(APART, 'apart', own);
  const calm = await measured(APART, 'apart', own);
  const stop = async () => {
    for (const one of [busy, calm, databases]) await one.stop();
  };
  return { busy, calm, stop };
}

/** The service with Miniflare's inspector beside it, which takes a little CPU time. */
export const inspected = (folder: string): Promise<Measured> =>
  measured(SERVICE, 'worker', { folder, inspected: true });

/** Calls a tool below /bench of a {@link counting} Worker. */
export async function tool<T>({ url }: Measured, name: string): Promise<T> {
  const answer = await fetch(new URL(`/bench/${name}`, url), { method: 'POST' });
  if (!answer.ok) throw new Error(`/bench/${name} failed: ${await answer.text()}`);
  // The caller names the type of the tool's response: see entry.ts.
  return (await answer.json()) as T;
}
