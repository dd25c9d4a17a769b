import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

const root = join(import.meta.dirname, '../..');
const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');

/** The environment for wrangler: no telemetry, update checks or network look-ups. */
const ENV = {
  ...process.env,
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
};

/** Returns whether 127.0.0.1:`port` is free. */
export const portIsFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });

/** Starts wrangler in a process group that ends when this process ends or closes its standard input. */
function start(args: readonly string[]): ChildProcessWithoutNullStreams {
  const together = join(import.meta.dirname, 'together.ts');
  return spawn(process.execPath, [together, wrangler, ...args], { cwd: root, env: ENV, detached: true });
}

/** Applies pending migrations to all databases of wrangler.toml in `folder`. Throws an error with wrangler's output. */
export async function migrate(folder: string): Promise<void> {
  for (const database of databaseBindings()) {
    const run = start(['d1', 'migrations', 'apply', database, '--local', '--persist-to', folder]);
    let output = '';
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (data) => (output += data));
    const [code] = await once(run, 'close');
    if (code !== 0) throw new Error(`The migrations of ${database} failed.\n${output}`);
  }
}

/** Returns the bindings of the databases in wrangler.toml. */
function databaseBindings(): string[] {
  const config = readFileSync(join(root, 'wrangler.toml'), 'utf8');
  return [...config.matchAll(/^\[\[d1_databases\]\]\s+binding = "(\w+)"/gm)].flatMap(
    ([, name]) => name ?? [],
  );
}

/** A `wrangler dev` process. */
export class Server {
  readonly base: string;
  /** Resolves when wrangler has exited, for any reason. */
  readonly ended: Promise<unknown>;
  readonly #process: ChildProcessWithoutNullStreams;
  #held: string[] | null = [];

  constructor(port: number, folder: string) {
    this.base = `http://127.0.0.1:${port}`;
    const dev = ['dev', '--ip', '127.0.0.1', '--port', String(port), '--persist-to', folder];
    this.#process = start([...dev, '--show-interactive-dev-session=false']);
    this.ended = once(this.#process, 'close');
    for (const stream of [this.#process.stdout, this.#process.stderr]) {
      stream.on('data', (data) => this.#say(String(data)));
    }
  }

  /** Buffers wrangler's output until {@link speak}, so that a successful start prints nothing. */
  #say(words: string): void {
    if (this.#held) this.#held.push(words);
    else process.stdout.write(words.replace(/^.*(\/cdn-cgi\/local\/scheduled|QUEUE maintenance ).*\n/gm, ''));
  }

  /** The buffered output. */
  get held(): string {
    return this.#held?.join('') ?? '';
  }

  /** Prints wrangler's output from now on. */
  speak(): void {
    this.#held = null;
  }

  /** Waits until /healthz responds. Throws with wrangler's output when it exits, or after a minute. */
  async ready(): Promise<void> {
    let over = false;
    this.ended.then(() => {
      over = true;
    });
    for (const begun = Date.now(); !over && Date.now() - begun < 60_000; await sleep(100)) {
      const answer = await fetch(`${this.base}/healthz`).catch(() => null);
      if (answer?.ok) return;
    }
    throw new Error(`wrangler dev did not start.\n${this.held}`);
  }

  /** Triggers the cron, which wrangler dev does not do by itself. */
  async tick(): Promise<void> {
    const answer = await fetch(`${this.base}/cdn-cgi/local/scheduled?cron=*+*+*+*+*`);
    if (!answer.ok) throw new Error(`it responded with ${answer.status}`);
  }

  /** Stops wrangler and its child processes. */
  async stop(): Promise<void> {
    this.#process.stdin.end();
    await this.ended;
  }
}
