/**
 * Hands out the Worker's module without asking Vitest for it again. The plugin imports it for each request and each
 * call of a Durable Object; although the module is loaded, Vitest makes a call of its own each time, which is a
 * fifth of the CPU time of a short request.
 */

interface Loader {
  import(specifier: string): Promise<unknown>;
}

declare global {
  /** Vitest's loader of modules. A version that calls it otherwise only makes the tests slower. */
  var __vitest_mocker__: { readonly moduleRunner?: Loader } | undefined;
}

const MAIN = new URL('../../src/index.ts', import.meta.url).pathname;
let patched: Loader | null = null;

/** Makes the runtime's loader remember the Worker's module from its first import on. */
export function rememberWorker(): void {
  const loader = globalThis.__vitest_mocker__?.moduleRunner;
  if (!loader || loader === patched) return;
  patched = loader;
  const load = loader.import.bind(loader);
  let worker: unknown = null;
  loader.import = async (specifier) => {
    if (specifier !== MAIN) return load(specifier);
    worker ??= await load(specifier);
    return worker;
  };
}
