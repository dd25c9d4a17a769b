import { deepEqual, equal, match, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { ApiError, type Client } from '../dev/client.ts';
import { bar, type Progress, statusOf, summary } from './import.ts';

const progress: Progress = {
  status: 'done',
  rows: 200,
  processed: 100,
  created: 3,
  updated: 2,
  unchanged: 1,
  failed: 2,
  errors: [{ line: 7, message: 'The price is missing.' }],
};

test('the bar shows the progress', () => {
  equal(bar(progress), `[${'█'.repeat(15)}${'░'.repeat(15)}]  50 %  100 of 200 lines`);
  match(bar({ ...progress, rows: 0, processed: 0 }), /100 %/);
});

test('the summary shows the counts and the lines that failed', () => {
  const text = 'Done: 3 created, 2 updated, 1 unchanged, 2 lines with an error.';
  equal(summary(progress), `${text}\n  line 7: The price is missing.\n  … and 1 more.`);
});

/** A fake service: accepts a file, then reports two states. */
async function service(last: Partial<Progress>) {
  const seen: { method: string | undefined; url: string | undefined; type: unknown; body: string }[] = [];
  let asked = 0;
  const server = createServer(async (request: IncomingMessage, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    seen.push({ method: request.method, url: request.url, type: request.headers['content-type'], body });
    const state = asked++ < 2 ? { status: 'running' } : last;
    const answer = request.method === 'POST' ? { id: 'imp_1' } : { ...progress, ...state };
    response.writeHead(request.headers.authorization === 'Bearer good' ? 200 : 401);
    response.end(
      JSON.stringify(request.headers.authorization === 'Bearer good' ? answer : { message: 'No.' }),
    );
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  after(() => server.close());
  // The address of a TCP server is always an AddressInfo.
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, seen };
}

const folder = mkdtempSync(join(tmpdir(), 'import-'));
after(() => rmSync(folder, { recursive: true }));
writeFileSync(join(folder, 'shop.csv'), 'Handle,Title\nmug,Mug\n');

/** Runs the program from the folder that contains the file. */
async function run(...args: string[]): Promise<{ code: number | null; out: string }> {
  const program = spawn(process.execPath, [join(import.meta.dirname, 'import.ts'), ...args], {
    env: { ...process.env, INIT_CWD: folder },
  });
  let out = '';
  program.stdout.on('data', (text) => (out += text));
  program.stderr.on('data', (text) => (out += text));
  const code = await new Promise<number | null>((done) => program.on('close', done));
  return { code, out };
}

test('uploads the file unchanged and follows the import to its end', async () => {
  const { url, seen } = await service({ failed: 0, errors: [] });
  const { code, out } = await run('shop.csv', '--url', `${url}/`, '--token', 'good', '--stock', 'set');
  equal(code, 0);
  match(out, /Done: 3 created, 2 updated, 1 unchanged, 0 lines with an error\.\n$/);
  deepEqual(seen[0], {
    method: 'POST',
    url: '/v1/imports/products?stock=set',
    type: 'text/csv',
    body: 'Handle,Title\nmug,Mug\n',
  });
  deepEqual(seen.at(-1), { method: 'GET', url: '/v1/imports/imp_1', type: undefined, body: '' });
});

test('the exit code shows whether every line was imported', async () => {
  const some = await service({});
  equal((await run('shop.csv', '--url', some.url, '--token', 'good')).code, 2);
  const failed = await service({ status: 'failed' });
  equal((await run('shop.csv', '--url', failed.url, '--token', 'good')).code, 1);
  const cancelled = await service({ status: 'cancelled' });
  const ended = await run('shop.csv', '--url', cancelled.url, '--token', 'good');
  deepEqual([ended.code, /Cancelled: 3 created/.test(ended.out)], [1, true]);
  const refused = await run('shop.csv', '--url', failed.url, '--token', 'bad');
  deepEqual([refused.code, /401 No\./.test(refused.out)], [1, true]);
  const missing = await run('none.csv', '--url', failed.url, '--token', 'good');
  deepEqual([missing.code, missing.out.includes('none.csv')], [1, true]);
  const usage = await run('shop.csv');
  deepEqual([usage.code, usage.out], [1, '--url is missing: --help lists all options.\n']);
});

/** A client whose first calls fail, so many of them, and the waits between them (ms). */
function unreachable(failures: number, error: Error) {
  const waits: number[] = [];
  let calls = 0;
  const call: Client = async <T>() => {
    if (calls++ < failures) throw error;
    // What this API would respond.
    return progress as T;
  };
  return { waits, call, wait: async (ms: number) => waits.push(ms) };
}

test('asks for the status again after a lost connection', async () => {
  const { call, wait, waits } = unreachable(2, new TypeError('fetch failed'));
  deepEqual(await statusOf(call, 'imp_1', wait), progress);
  deepEqual(waits, [1000, 2000]);
});

test('says that the import goes on when the service stays away', async () => {
  const away = unreachable(Number.POSITIVE_INFINITY, new TypeError('fetch failed'));
  const message =
    'fetch failed. The import goes on without this command: GET /v1/imports/imp_1 has its status.';
  await rejects(statusOf(away.call, 'imp_1', away.wait), { message });
  equal(away.waits.length, 5);
});

test('does not ask again for what the service refuses', async () => {
  const gone = new ApiError(404, 'import_not_found', 'No.');
  const { call, wait, waits } = unreachable(1, gone);
  await rejects(statusOf(call, 'imp_1', wait), gone);
  deepEqual(waits, []);
});
