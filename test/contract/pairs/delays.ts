/** Delays around storage calls, so that two requests meet between any two of their awaits. */
import { env } from 'cloudflare:workers';
import { onTestFinished, vi } from 'vitest';
import { DATABASES, interceptBindings } from '../../support/faults/bindings.ts';
import { AT_ONCE, BINDINGS } from '../../support/faults/injector.ts';

/** The longest that a call waits before it is made, and again before its response (ms). */
const MAX_DELAY_MS = 8;

/** What is delayed: databases by their drivers, so that Durable Objects' calls are as well; the others by binding. */
const OTHERS = BINDINGS.filter((name) => !DATABASES.includes(name));

/** Random delays, while they are on. */
export class Delays {
  private running = 0;

  constructor(private readonly luck: () => number) {
    const session: Pick<D1DatabaseSession, 'batch'> = Object.getPrototypeOf(env.DB.withSession());
    const statement: D1PreparedStatement = Object.getPrototypeOf(env.DB.prepare('SELECT 1'));
    this.delayMethod(session, 'batch');
    for (const name of ['all', 'run', 'raw', 'first'] as const) this.delayMethod(statement, name);
  }

  /** Returns bindings whose calls are delayed. */
  bindings(): Env {
    return interceptBindings(OTHERS, (name, call) =>
      AT_ONCE.test(name) ? call() : this.around(async () => call()),
    );
  }

  /** Runs `work` with delays. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    this.running += 1;
    try {
      return await work();
    } finally {
      this.running -= 1;
    }
  }

  /** Waits for a while, or not at all. */
  async pause(): Promise<void> {
    if (this.luck() < 0.5) await scheduler.wait(Math.ceil(this.luck() * MAX_DELAY_MS));
  }

  private async around<T>(call: () => Promise<T>): Promise<T> {
    if (this.running === 0) return call();
    await this.pause();
    const result = await call();
    await this.pause();
    return result;
  }

  /** Replaces a method of a prototype until the test ends. */
  private delayMethod<Name extends string>(
    target: Record<Name, (...args: never[]) => Promise<unknown>>,
    name: Name,
  ): void {
    const real = target[name];
    const around = <T>(call: () => Promise<T>) => this.around(call);
    const delayed = vi.fn(function (this: unknown, ...args: never[]) {
      return around(() => real.apply(this, args));
    });
    Object.defineProperty(target, name, { value: delayed, configurable: true, writable: true });
    onTestFinished(() => {
      Object.defineProperty(target, name, { value: real, configurable: true, writable: true });
    });
  }
}
