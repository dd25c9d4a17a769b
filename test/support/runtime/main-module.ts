/**
 * Spares each call of the Worker and of its objects a round trip. Before such a call the Vitest plugin imports
 * src/index.ts anew, which asks the object that runs the tests, although the module is there: a quarter of the CPU
 * time of a refused request. Runs once in each runtime; no test replaces the module.
 */
import * as main from '../../../src/index.ts';

/** Imports a module by its path, as Vitest's module runner does. */
type Import = (path: string, ...more: unknown[]) => Promise<unknown>;

// Vitest sets this global for the plugin, and has no type for it.
const { moduleRunner } = Reflect.get(globalThis, '__vitest_mocker__') as { moduleRunner: { import: Import } };
const load = moduleRunner.import.bind(moduleRunner);

moduleRunner.import = async (path, ...more) => (path.endsWith('/src/index.ts') ? main : load(path, ...more));
