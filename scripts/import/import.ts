/** `npm run import`: uploads a Shopify product CSV to the service and shows the import's progress. */
import { openAsBlob, statSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bearerToken, readArguments, reasonOf, refuse, required, webUrl } from '../command-line.ts';
import { ApiError, type Client, client } from '../dev/client.ts';

const USAGE = `npm run import -- FILE --url URL --token TOKEN [--stock set]

  FILE          a product CSV in Shopify's export format, at most 32 MiB
  --url URL     the service's base URL, such as http://127.0.0.1:8787
  --token TOKEN an application token with the scope catalog:write; with --stock set also inventory:write
  --stock set   also set the stock of existing products, not only of new ones

Exits with 0 when all lines were imported, with 2 when some lines failed, and with 1 on any other error.`;

/** The API's representation of an import. */
export interface Progress {
  readonly status: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  readonly rows: number;
  readonly processed: number;
  readonly created: number;
  readonly updated: number;
  readonly unchanged: number;
  readonly failed: number;
  readonly errors: readonly { readonly line: number; readonly message: string }[];
}

/** Width of the progress bar, in characters. */
const WIDTH = 30;

/** Returns the progress bar: `[██████░░░░]  60 %  120 of 200 lines`. */
export function bar({ processed, rows }: Progress): string {
  const part = rows === 0 ? 1 : Math.min(1, processed / rows);
  const full = Math.round(part * WIDTH);
  const percent = String(Math.floor(part * 100)).padStart(3);
  return `[${'█'.repeat(full)}${'░'.repeat(WIDTH - full)}] ${percent} %  ${processed} of ${rows} lines`;
}

/** How an import ended, in words. */
const ENDS: Readonly<Partial<Record<Progress['status'], string>>> = { done: 'Done', cancelled: 'Cancelled' };

/** Returns the summary of an import, with the lines that failed. */
export function summary(progress: Progress): string {
  const { status, created, updated, unchanged, failed, errors } = progress;
  const counts = `${created} created, ${updated} updated, ${unchanged} unchanged, ${failed} ${failed === 1 ? 'line' : 'lines'} with an error`;
  const more = failed - errors.length;
  return [
    `${ENDS[status] ?? 'Failed'}: ${counts}.`,
    ...errors.map(({ line, message }) => `  line ${line}: ${message}`),
    ...(more > 0 ? [`  … and ${more} more.`] : []),
  ].join('\n');
}

function options() {
  const { values, positionals } = readArguments(USAGE, () =>
    parseArgs({
      allowPositionals: true,
      options: {
        url: { type: 'string' },
        token: { type: 'string' },
        stock: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  const [first, ...others] = positionals;
  const file = required('FILE', first);
  if (others.length > 0) refuse(`One FILE at a time: ${others.join(' ')} is too much.`);
  const base = webUrl('--url', required('--url', values.url));
  const token = bearerToken(values.token);
  const { stock } = values;
  if (stock !== undefined && stock !== 'set') refuse(`--stock must be set, not ${JSON.stringify(stock)}.`);
  // npm runs scripts in the project root; paths are relative to the caller's directory.
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  return { path, base, token, query: stock ? '?stock=set' : '' };
}

async function open(path: string): Promise<Blob> {
  if (!statSync(path, { throwIfNoEntry: false })?.isFile()) throw new Error(`Cannot read ${path}.`);
  return openAsBlob(path, { type: 'text/csv' });
}

/** How often the status is asked for again without a connection. The last wait is 16 seconds. */
const MAX_RETRIES = 5;

/** Returns an import's status. A lost connection doesn't stop the import: asks again, with growing waits. */
export async function statusOf(
  call: Client,
  id: string,
  wait: (ms: number) => Promise<unknown> = sleep,
): Promise<Progress> {
  const path = `/v1/imports/${id}`;
  for (let retries = 0; ; retries++) {
    try {
      return await call<Progress>('GET', path);
    } catch (error) {
      if (error instanceof ApiError) throw error;
      if (retries === MAX_RETRIES)
        throw new Error(
          `${reasonOf(error)}. The import goes on without this command: GET ${path} has its status.`,
        );
      await wait(1000 * 2 ** retries);
    }
  }
}

async function main(): Promise<number> {
  const { path, base, token, query } = options();
  const call = client(base, token);
  const file = await open(path);
  console.log(`Sending ${basename(path)} (${Math.ceil(file.size / 1024)} KiB) to ${base} …`);
  const { id } = await call<{ id: string }>('POST', `/v1/imports/products${query}`, file);
  const live = process.stdout.isTTY;
  for (;;) {
    const progress = await statusOf(call, id);
    if (live) process.stdout.write(`\r\x1b[K${bar(progress)}`);
    if (progress.status !== 'queued' && progress.status !== 'running') {
      console.log(`${live ? '\n' : ''}${summary(progress)}`);
      if (progress.status !== 'done') return 1;
      return progress.failed > 0 ? 2 : 0;
    }
    await sleep(500);
  }
}

if (import.meta.main) {
  try {
    process.exitCode = await main();
  } catch (error) {
    console.error(reasonOf(error));
    process.exitCode = 1;
  }
}
