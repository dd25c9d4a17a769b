/**
 * Spares each call of the Worker and of its objects two round trips. Before such a call the Vitest plugin imports
 * src/index.ts anew: inside the object that runs the tests, and there from Vitest, although the module is loaded.
 * Either is a fifth of the CPU time of a cached read or more. No test replaces the module.
 */
// @ts-expect-error The plugin has no types for this module.
import { maybeHandleRunRequest } from 'cloudflare:test-internal';
import { env } from 'cloudflare:workers';
import * as main from '../../src/index.ts';

/** Imports a module by its path, as Vitest's module runner does. */
type Import = (path: string, ...more: unknown[]) => Promise<unknown>;

const RUNNER = '__VITEST_POOL_WORKERS_RUNNER_OBJECT';
const OPTIONS = 'cloudflarePoolOptions';

/** Set between the plugin's question where src/index.ts is and its import, which follows in the same turn. */
let importing = false;

// Vitest sets these globals for the plugin, and has no type for them.
const { moduleRunner } = Reflect.get(globalThis, '__vitest_mocker__') as { moduleRunner: { import: Import } };
const load = moduleRunner.import.bind(moduleRunner);
moduleRunner.import = async (path, ...more) => (path.endsWith('/src/index.ts') ? main : load(path, ...more));

const runner: { get(name: string): object } = Reflect.get(env, RUNNER);
const inPlace = { fetch: (_url: string, { cf }: { cf: object }): unknown => maybeHandleRunRequest({ cf }) };
Reflect.set(env, RUNNER, { get: (name: string) => (importing ? inPlace : runner.get(name)) });

/** Makes the plugin's imports of src/index.ts run where it asks for them. Vitest makes new options for each file. */
export function importInPlace(): void {
  const { providedContext } = Reflect.get(globalThis, '__vitest_worker__') as { providedContext: object };
  const options = Reflect.get(providedContext, OPTIONS);
  const get = () => {
    importing = true;
    queueMicrotask(() => {
      importing = false;
    });
    return options;
  };
  Object.defineProperty(providedContext, OPTIONS, { get });
}
