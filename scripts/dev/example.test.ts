/** Runs the storefront of examples/nextless without a service behind it. */
import { deepEqual, equal, match } from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer as createApi, type RequestListener } from 'node:http';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, test } from 'node:test';
import { freePort } from './free-port.ts';

test("a copy of the storefront compiles in a project that has the browser's types as well", () => {
  const root = join(import.meta.dirname, '../..');
  const options = ['--noEmit', '-p', 'examples', '--lib', 'es2024,dom,dom.iterable'];
  const compiled = spawnSync(join(root, 'node_modules/.bin/tsc'), options, { cwd: root, encoding: 'utf8' });
  equal(compiled.stdout + compiled.stderr, '');
});

/** Starts the storefront as behind a proxy: shoppers find it elsewhere than where it listens. */
function start(port: number, api = 'http://127.0.0.1:9') {
  const server = join(import.meta.dirname, '../../examples/nextless/server.ts');
  const program = spawn(process.execPath, ['--conditions=storefront-edge-source', server], {
    env: {
      ...process.env,
      API_URL: api,
      PUBLIC_URL: 'https://shop.example.com',
      PORT: String(port),
    },
  });
  after(() => program.kill());
  return program;
}

/** Starts the storefront on a service that responds with `respondTo`; returns the storefront's port. */
async function startOn(respondTo: RequestListener): Promise<number> {
  const service = createApi(respondTo).listen(0, '127.0.0.1');
  after(() => service.close());
  await once(service, 'listening');
  const port = await freePort();
  const program = start(port, `http://127.0.0.1:${(service.address() as AddressInfo).port}`);
  await Promise.race([once(program.stdout, 'data'), once(program, 'close')]);
  return port;
}

/** Sends a request's first line. Returns that of the response; empty if the connection was closed. */
async function respond(port: number, line: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(`${line}\r\nHost: shop.example.com\r\nConnection: close\r\n\r\n`);
  return (await text(socket).catch(() => '')).split('\r\n')[0] ?? '';
}

test('the storefront refuses requests that it has no page for, and goes on', {
  timeout: 30_000,
}, async () => {
  const port = await freePort();
  const program = start(port);
  const [said] = await Promise.race([once(program.stdout, 'data'), once(program, 'close')]);
  match(String(said), /The shop is open at https:\/\/shop\.example\.com/);
  const lines = ['TRACE / HTTP/1.1', 'GET http://other.example/ HTTP/1.1', 'OPTIONS * HTTP/1.1'];
  const statuses: string[] = [];
  for (const line of lines) statuses.push(await respond(port, line));
  deepEqual(statuses, Array(3).fill('HTTP/1.1 400 Bad Request'));
  equal(await respond(port, 'GET /no-such-page HTTP/1.1'), 'HTTP/1.1 404 Not Found');
});

/** Starts a program on its own, with these variables alone of those that the storefront reads; returns what it says. */
async function firstLine(path: string, args: string[], variables: Record<string, string>): Promise<string> {
  const { PUBLIC_URL: _, PORT: __, API_URL: ___, ...env } = process.env;
  const program = spawn(
    process.execPath,
    ['--conditions=storefront-edge-source', join(import.meta.dirname, path), ...args],
    { env: { ...env, ...variables } },
  );
  const [said] = await Promise.race([once(program.stdout, 'data'), once(program, 'close')]);
  program.kill();
  return String(said);
}

test('the storefront says where it listens with PORT alone', { timeout: 30_000 }, async () => {
  const PORT = String(await freePort());
  const said = await firstLine('../../examples/nextless/server.ts', [], { PORT });
  equal(said, `The shop is open at http://127.0.0.1:${PORT}\n`);
});

test('npm run example listens where it says: at --port, else at PORT', { timeout: 30_000 }, async () => {
  const service = createApi((_, response) =>
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}'),
  ).listen(0, '127.0.0.1');
  const folder = mkdtempSync(join(tmpdir(), 'example-'));
  after(() => {
    service.close();
    rmSync(folder, { recursive: true });
  });
  await once(service, 'listening');
  for (const name of ['demo', 'example']) {
    writeFileSync(join(folder, `${name}.json`), '{"token":"sfe_live_x","checkoutSecret":"x"}');
  }
  const api = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  const args = ['--api', api, '--persist-to', folder];
  const [first, second] = [String(await freePort()), String(await freePort())];
  const run = (more: string[]) => firstLine('example.ts', [...args, ...more], { PORT: first });
  equal(await run([]), `The shop is open at http://127.0.0.1:${first}\n`);
  equal(await run(['--port', second]), `The shop is open at http://127.0.0.1:${second}\n`);
});

test('the storefront says in one sentence that its port is in use', { timeout: 30_000 }, async () => {
  const busy = createServer().listen(0, '127.0.0.1');
  await once(busy, 'listening');
  const program = start((busy.address() as AddressInfo).port);
  const [said, [code]] = await Promise.all([text(program.stderr), once(program, 'close')]);
  busy.close();
  match(said, /^[^\n]*address already in use[^\n]*\n$/);
  equal(code, 1);
});

test('a renamed product or category redirects to its slug, percent-encoded', {
  timeout: 30_000,
}, async () => {
  const port = await startOn(({ url = '' }, response) => {
    const found = url.endsWith('/v1/categories') ? { data: [] } : { slug: 'größe' };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(found));
  });
  for (const path of ['/products/', '/categories/']) {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}alt`, { redirect: 'manual' });
    deepEqual([status, headers.get('location')], [301, `${path}gr%C3%B6%C3%9Fe`]);
  }
});

/** Starts the storefront on a service that responds to additions; returns what presses a product's button there. */
async function shopOf(add: (body: { cart_token?: string }) => { status: number; code?: string }) {
  const keys: unknown[] = [];
  const port = await startOn(async (request, response) => {
    const { status, code } = add(JSON.parse(await text(request)));
    keys.push(request.headers['idempotency-key']);
    const body = code ? { code, message: code } : { cart_token: 'new', total_quantity: 1 };
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  const press = async (cookie: string, { quantity = '1', path = '/cart' } = {}) => {
    const { status, headers } = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: 'POST',
      redirect: 'manual',
      headers: { origin: 'https://shop.example.com', cookie },
      body: new URLSearchParams({ product: '7', slug: 'cup', once: 'a', quantity }),
    });
    return [status, headers.get('location')];
  };
  return { press, keys };
}

test('a button that is pressed again after its cart was made adds once, and leads to the cart', {
  timeout: 30_000,
}, async () => {
  const { press, keys } = await shopOf(({ cart_token }) =>
    cart_token ? { status: 409, code: 'idempotency_key_reused' } : { status: 201 },
  );
  deepEqual(await press(''), [303, '/cart?added']);
  deepEqual(await press('cart=new'), [303, '/cart?added']);
  await press('cart=new', { quantity: '2' });
  // Another choice from a page that the browser has kept is another addition.
  deepEqual([keys[0] === keys[1], keys[1] === keys[2]], [true, false]);
});

test("a product that a new cart can't take either leads back to its page, which says why", {
  timeout: 30_000,
}, async () => {
  const { press } = await shopOf(({ cart_token }) =>
    cart_token ? { status: 410, code: 'cart_expired' } : { status: 409, code: 'insufficient_stock' },
  );
  deepEqual(await press('cart=old'), [303, '/products/cup?problem=insufficient_stock']);
});

test('a cart that was paid for in another tab is shown empty after its buttons', {
  timeout: 30_000,
}, async () => {
  const { press, keys } = await shopOf(() => ({ status: 422, code: 'validation_error' }));
  for (const path of ['/cart/1', '/checkout']) deepEqual(await press('', { path }), [303, '/cart']);
  deepEqual(keys, []);
});
