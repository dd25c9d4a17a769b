import { type Running, run, SERVICE, type Source } from '../scripts/bundle.ts';
import type { Address } from './load.ts';
import { cpuSeconds, memory, workerds } from './process.ts';

/** Constant over runs, so that the tokens of stored worlds stay valid. */
export const VARS = {
  SUPER_ADMIN_TOKEN: 'bench-super-admin-token-0000000000000000',
  MASTER_KEY_V1: 'YmVuY2gtbWFzdGVyLWtleS1iZW5jaC1tYXN0ZXIta2V5',
};
const BARE: Source = { entry: 'bench/bare.ts', config: 'bench/bare.toml' };
const BARE_OBJECT: Source = { entry: 'bench/bare-object.ts', config: 'bench/bare-object.toml' };
const COUNTING: Source = { entry: 'bench/entry.ts', config: 'wrangler.toml' };

/** A Worker in its own workerd process, with that process's CPU and memory use. */
export interface Measured extends Running {
  readonly address: Address;
  /** CPU seconds used so far; NaN without /proc. */
  cpu(): number;
  /** Resident memory in MiB; NaN without /proc. */
  memory(): number;
}

async function measured(source: Source, name: string, folder?: string, vars = {}): Promise<Measured> {
  const before = workerds();
  const running = await run(source, name, { ...VARS, ...vars }, folder);
  const pid = workerds().find((one) => !before.includes(one)) ?? Number.NaN;
  return {
    ...running,
    address: { host: running.url.hostname, port: Number(running.url.port) },
    cpu: () => cpuSeconds(pid),
    memory: () => memory(pid),
  };
}

/** The Workers to compare with; the service on a folder of data, with more variables; the same with counting bindings. */
export const bare = (): Promise<Measured> => measured(BARE, 'bare');
export const bareObject = (folder: string): Promise<Measured> => measured(BARE_OBJECT, 'bare-object', folder);
export const service = (folder: string, vars: Record<string, string> = {}): Promise<Measured> =>
  measured(SERVICE, 'worker', folder, vars);
export const counting = (folder: string): Promise<Measured> => measured(COUNTING, 'counting', folder);

/** Calls a tool below /bench of a {@link counting} Worker. */
export async function tool<T>({ url }: Measured, name: string, input: object = {}): Promise<T> {
  const answer = await fetch(new URL(`/bench/${name}`, url), { method: 'POST', body: JSON.stringify(input) });
  if (!answer.ok) throw new Error(`/bench/${name} failed: ${await answer.text()}`);
  // The caller names the type of the tool's response: see entry.ts.
  return (await answer.json()) as T;
}
