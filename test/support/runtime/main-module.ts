/**
 * Spares each call of the Worker and of its objects a call of the object that runs the tests. The Vitest plugin makes
 * that one to import src/index.ts anew, although the module is here: half of the time of a cached read. Runs once in
 * each runtime; no test replaces the module.
 */
import { env } from 'cloudflare:workers';
import * as main from '../../../src/index.ts';

/** What the plugin wraps: the Worker for each call, an object for as long as it is in memory. */
interface Wrapper {
  readonly ctx: DurableObjectState & ExecutionContext;
  readonly env: Env;
}

/** A wrapper's class. Its methods are known by their names alone, one by a symbol. */
interface WrapperClass {
  readonly prototype: object;
}

/** What the plugin knows of an object before it calls one of its methods. */
interface Wrapped {
  readonly mainPath: string;
  readonly instanceCtor: unknown;
  readonly instance: unknown;
}

/** Those exports of the plugin's own modules that are needed here. They have no types. */
interface Plugin {
  readonly handlerContextStore: { run<T>(ctx: ExecutionContext, call: () => T): T };
  readonly registerGlobalWaitUntil: (promise: Promise<unknown>) => void;
}

// Vitest sets this global for the plugin, and has no type for it.
const { moduleRunner } = Reflect.get(globalThis, '__vitest_mocker__') as {
  moduleRunner: { evaluator: { runExternalModule<Module>(path: string): Promise<Module> } };
};
const load = <Module>(path: string) => moduleRunner.evaluator.runExternalModule<Module>(path);

const { handlerContextStore, registerGlobalWaitUntil } = await load<Plugin>('cloudflare:test-internal');
const wrappers = await load<Record<string, WrapperClass>>('/index.mjs');

/** Calls the handlers themselves. The plugin waits for what they leave to `waitUntil`, so it is told. */
function replaceWorker({ prototype }: WrapperClass): void {
  for (const key of ['fetch', 'queue', 'scheduled'] as const) {
    Reflect.set(prototype, key, async function (this: Wrapper, event: never) {
      const { ctx } = this;
      const waitUntil = ctx.waitUntil.bind(ctx);
      ctx.waitUntil = (promise) => {
        registerGlobalWaitUntil(promise);
        waitUntil(promise);
      };
      return handlerContextStore.run(ctx, () => main.default[key](event, env, ctx));
    });
  }
}

/** Makes each object of a class once, when it is first called, as the plugin does. */
function replaceObject(name: string, { prototype }: WrapperClass): void {
  const [ensureInstance] = Object.getOwnPropertySymbols(prototype);
  if (!ensureInstance) throw new Error(`The plugin wraps ${name} in another way`);
  const made = new WeakMap<Wrapper, Wrapped>();
  Reflect.set(prototype, ensureInstance, async function (this: Wrapper): Promise<Wrapped> {
    const known = made.get(this);
    if (known) return known;
    const instanceCtor: new (ctx: DurableObjectState, env: Env) => unknown = Reflect.get(main, name);
    const wrapped = {
      mainPath: 'src/index.ts',
      instanceCtor,
      instance: new instanceCtor(this.ctx, this.env),
    };
    made.set(this, wrapped);
    await this.ctx.blockConcurrencyWhile(async () => {});
    return wrapped;
  });
}

for (const [name, wrapper] of Object.entries(wrappers)) {
  if (name === 'default') replaceWorker(wrapper);
  else if (name in main) replaceObject(name, wrapper);
}
