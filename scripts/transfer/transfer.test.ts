/** Moves a tenant between two fake deployments: the calls, the files, and what stops an import. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';

const IMAGE = Buffer.from('GIF89a, more or less');
const HASH = createHash('sha256').update(IMAGE).digest('hex');

interface Stored {
  table: string;
  row: Record<string, string | number | null>;
}

/** A deployment with these records; it exports two a page, and takes what it is given. */
async function deployment(records: Stored[], keys: Record<string, string>) {
  const images = new Map<string, { type: string; bytes: string }>();
  const calls: string[] = [];
  /** Paths that respond 503 the next time, as while a database restarts. */
  const unavailable = new Set<string>();
  /** Paths whose next response breaks off after its first bytes. */
  const broken = new Set<string>();
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const url = new URL(request.url ?? '', 'http://service');
    const reply = (status: number, value: object | Buffer) => {
      response.writeHead(status);
      response.end(Buffer.isBuffer(value) ? value : JSON.stringify(value));
    };
    calls.push(`${request.method} ${url.pathname}`);
    if (unavailable.delete(url.pathname)) return reply(503, { code: 'unavailable', message: 'Not now.' });
    if (broken.delete(url.pathname)) {
      response.writeHead(200, { 'content-length': IMAGE.length });
      return void response.write(IMAGE.subarray(0, 5), () => response.destroy());
    }
    if (url.pathname === `/media/acme/${HASH}`) return reply(200, IMAGE);
    if (request.headers.authorization !== 'Bearer admin') return reply(401, { message: 'No.' });
    if (url.pathname.endsWith('/export')) {
      const at = Number(url.searchParams.get('cursor') ?? 0);
      const next_cursor = at + 2 < records.length ? String(at + 2) : null;
      const header = { format: 1, schema: '0001.sql', keys };
      return reply(200, { header, data: records.slice(at, at + 2), meta: { next_cursor } });
    }
    if (url.pathname.endsWith('/import')) {
      const sent: { header: { keys: object }; records: Stored[] } = JSON.parse(body.toString());
      for (const record of sent.records) {
        if (!records.some((known) => JSON.stringify(known) === JSON.stringify(record))) records.push(record);
      }
      const same = JSON.stringify(sent.header.keys) === JSON.stringify(keys);
      return reply(200, { written: sent.records.length, unreadable_keys: same ? [] : ['1'] });
    }
    if (url.pathname.includes('/import/media/')) {
      const type = String(request.headers['content-type']);
      images.set(url.pathname.split('/').at(-1) ?? '', { type, bytes: body.toString('latin1') });
    }
    return reply(200, {});
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  after(() => server.close());
  // The address of a TCP server is always an AddressInfo.
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    records,
    images,
    calls,
    unavailable,
    broken,
  };
}

const folder = mkdtempSync(join(tmpdir(), 'transfer-'));
after(() => rmSync(folder, { recursive: true }));

/** Runs one of the two programs; returns its exit code and what it prints. */
const run = (program: 'export' | 'import', ...args: string[]) =>
  new Promise<{ code: number; out: string }>((done) => {
    const file = join(import.meta.dirname, `${program}.ts`);
    const env = { ...process.env, INIT_CWD: folder, SUPER_ADMIN_TOKEN: 'admin' };
    execFile(process.execPath, [file, '--tenant', 'acme', ...args], { env }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, out: stdout + stderr }),
    );
  });

const tenant: Stored = { table: 'tenants', row: { id: 1, slug: 'acme' } };
const rows: Stored[] = [
  tenant,
  { table: 'media', row: { hash: HASH, state: 'stored' } },
  { table: 'media', row: { hash: '0'.repeat(64), state: 'deleting' } },
  ...Array.from({ length: 250 }, (_, id) => ({ table: 'orders', row: { id, note: 'Grüße\u2028' } })),
];

test('a tenant arrives whole, and its second export has the same bytes', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'a' })];
  const left = await run('export', '--url', `${from.url}/`, '--to', 'first');
  match(left.out, /Exported 253 records and 1 images of acme/);
  const arrived = await run('import', '--url', to.url, '--from', 'first');
  match(arrived.out, /Imported 253 records and 1 images of acme, which is suspended/);
  deepEqual(to.records, rows);
  deepEqual([...to.images], [[HASH, { type: 'image/gif', bytes: IMAGE.toString('latin1') }]]);
  equal(to.calls.at(-1), 'POST /admin/v1/tenants/acme/search-rebuilds');
  equal((await run('export', '--url', to.url, '--to', 'second')).code, 0);
  for (const file of ['records.jsonl', `media/${HASH}`])
    deepEqual(readFileSync(join(folder, 'second', file)), readFileSync(join(folder, 'first', file)));
});

test('a deployment that can not respond for a moment is asked again', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'a' })];
  const path = '/admin/v1/tenants/acme';
  for (const one of [`${path}/export`, `/media/acme/${HASH}`]) from.unavailable.add(one);
  for (const one of [`${path}/import`, `${path}/import/media/${HASH}`]) to.unavailable.add(one);
  const left = await run('export', '--url', from.url, '--to', 'again');
  deepEqual([left.code, left.out.includes('Exported 253 records and 1 images')], [0, true]);
  equal((await run('import', '--url', to.url, '--from', 'again')).code, 0);
  deepEqual([to.records, [...to.images.keys()]], [rows, [HASH]]);
});

test('a suspended tenant of which old rows are deleted while it is read is exported', async () => {
  // The cron deletes events by their age each minute, and a receiver that is away is counted.
  const events = Array.from({ length: 30 }, (_, position) => ({
    table: 'outbox',
    row: { position, note: 'Grüße\u2028' },
  }));
  let failures = 0;
  const webhook = {
    table: 'webhooks',
    get row() {
      failures += 1;
      records.splice(2, 1);
      return { id: 1, failures };
    },
  };
  const records = [{ table: 'tenants', row: { ...tenant.row, status: 'suspended' } }, webhook, ...events];
  const from = await deployment(records, { 1: 'a' });
  const { code, out } = await run('export', '--url', from.url, '--to', 'aged');
  equal(code, 0, out);
  equal(failures, 2);
});

test('a suspended tenant is read until two reads agree', async () => {
  // An order expires after its reservation was read: together they would hold stock for ever.
  let expired = false;
  const reservation = {
    table: 'reservations',
    get row() {
      return { id: 1, status: expired ? 'released' : 'ordered' };
    },
  };
  const order = {
    table: 'orders',
    get row() {
      expired = true;
      return { id: 1, status: 'cancelled' };
    },
  };
  let calls = 0;
  const counts = {
    table: 'call_hours',
    get row() {
      calls += 1;
      return { start: 1, calls };
    },
  };
  const suspended = { table: 'tenants', row: { ...tenant.row, status: 'suspended' } };
  const from = await deployment([suspended, reservation, order, counts], { 1: 'a' });
  equal((await run('export', '--url', from.url, '--to', 'moment')).code, 0);
  const lines = readFileSync(join(folder, 'moment/records.jsonl'), 'utf8').split('\n');
  deepEqual(JSON.parse(lines[2] ?? ''), { table: 'reservations', row: { id: 1, status: 'released' } });
});

test('an import under other master keys stops behind the tenant itself, unless it may go on', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'b' })];
  await run('export', '--url', from.url, '--to', 'sealed');
  const stopped = await run('import', '--url', to.url, '--from', 'sealed');
  deepEqual([stopped.code, to.records], [1, [tenant]]);
  match(stopped.out, /MASTER_KEY_V1/);
  equal((await run('import', '--url', to.url, '--from', 'sealed', '--other-keys')).code, 0);
  deepEqual(to.records, rows);
});

test('an import takes the images of the records, and stops if one is missing', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'a' })];
  await run('export', '--url', from.url, '--to', 'images');
  // What a file manager leaves, and an earlier export into the same folder.
  for (const name of ['.DS_Store', 'f'.repeat(64)]) writeFileSync(join(folder, 'images', 'media', name), 'x');
  equal((await run('import', '--url', to.url, '--from', 'images')).code, 0);
  deepEqual([...to.images.keys()], [HASH]);
  rmSync(join(folder, 'images', 'media', HASH));
  const stopped = await run('import', '--url', to.url, '--from', 'images');
  deepEqual([stopped.code, stopped.out.includes(`The image ${HASH} is missing`)], [1, true]);
});

test('an export that broke off is not imported', async () => {
  const gone = { table: 'media', row: { hash: 'f'.repeat(64), state: 'stored' } };
  const [from, to] = [await deployment([...rows, gone], { 1: 'a' }), await deployment([], { 1: 'a' })];
  equal((await run('export', '--url', from.url, '--to', 'broken')).code, 1);
  const refused = await run('import', '--url', to.url, '--from', 'broken');
  match(refused.out, /^[^\n]*records\.jsonl is missing[^\n]*\n$/);
  deepEqual([refused.code, to.calls], [1, []]);
});

test('an export that broke off leaves an earlier one in the same folder whole', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'a' })];
  equal((await run('export', '--url', from.url, '--to', 'twice')).code, 0);
  from.broken.add(`/media/acme/${HASH}`);
  equal((await run('export', '--url', from.url, '--to', 'twice')).code, 1);
  equal((await run('import', '--url', to.url, '--from', 'twice')).code, 0);
  deepEqual([to.records, to.images.get(HASH)?.bytes], [rows, IMAGE.toString('latin1')]);
});

test('a file that lost lines on its way is not taken for an export', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'a' })];
  await run('export', '--url', from.url, '--to', 'lost');
  const file = join(folder, 'lost/records.jsonl');
  const whole = readFileSync(file, 'utf8');
  const half = whole.slice(0, whole.indexOf('\n') + 10);
  for (const [text, line] of [
    ['', 1],
    [`${whole.split('\n')[0]}\n`, 2],
    [half, 2],
  ] as const) {
    writeFileSync(file, text);
    const refused = await run('import', '--url', to.url, '--from', 'lost');
    match(refused.out, new RegExp(`^[^\\n]*lost/records\\.jsonl[^\\n]* line ${line}[^\\n]*\\n$`));
    deepEqual([refused.code, to.calls], [1, []]);
  }
});

test('an export of another tenant is not imported', async () => {
  const [from, to] = [await deployment([...rows], { 1: 'a' }), await deployment([], { 1: 'a' })];
  await run('export', '--url', from.url, '--to', 'named');
  const refused = await run('import', '--url', to.url, '--from', 'named', '--tenant', 'other');
  match(refused.out, /^[^\n]*records\.jsonl has the tenant acme, not other: pass --tenant acme\.\n$/);
  deepEqual([refused.code, to.calls], [1, []]);
});

test('failures exit with 1 and say why', async () => {
  const { url } = await deployment([...rows], {});
  const refused = await run('export', '--url', url, '--to', 'x', '--token', 'bad');
  deepEqual([refused.code, /401 No\./.test(refused.out)], [1, true]);
  const usage = await run('import', '--url', url);
  deepEqual([usage.code, usage.out], [1, '--from is missing: --help lists all options.\n']);
});
