/**
 * Tests the client's package as its users get it: types that are those of the OpenAPI document, a small bundle that
 * runs in plain Node, and declarations with which strict TypeScript 5 compiles the examples of docs/client.md and of
 * the panel's quick start. Needs dist/openapi.json (`npm run contract`).
 */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { generate } from '../../client/scripts/generate.ts';
import { CLIENT_EXAMPLES, examplesOf, QUICK_START, quickStartMarkdown } from '../test/doc-examples.ts';

const root = join(import.meta.dirname, '../..');
const client = join(root, 'client');
const MAX_GZIPPED_BYTES = 8 * 1024;

const run = (script: string) => execFileSync(process.execPath, [join(root, script)], { stdio: 'inherit' });

/** Returns the OpenAPI document as JSON. */
const openApi = () => JSON.parse(readFileSync(join(root, 'dist/openapi.json'), 'utf8'));

before(() => {
  if (!existsSync(join(root, 'dist/openapi.json'))) run('scripts/build/openapi.ts');
  run('client/scripts/bundle.ts');
});

test('the generated files are those of the OpenAPI document; else: npm run build:client', async () => {
  for (const [name, text] of Object.entries(await generate(openApi()))) {
    ok(readFileSync(join(client, 'src/generated', name), 'utf8') === text, `${name} is out of date`);
  }
});

test('a list that takes a cursor is followed by it, and one name in two places is refused', async () => {
  const document = openApi();
  const files = await generate(document);
  match(files['operations.ts'] ?? '', /"path":"\/v1\/products","list":\{"page":"cursor","limit":100\}/);
  match(files['schema.ts'] ?? '', /cursor\?: string;/);
  document.components.schemas.ProductPatch.properties.id = { type: 'integer' };
  await rejects(generate(document), /updateProduct takes "id" in two places/);
});

test('the package has its licence, its types and nothing of its sources', () => {
  const packed = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: client,
    encoding: 'utf8',
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(packed.stdout);
  const paths = files.map(({ path }) => path);
  deepEqual(
    paths.filter((path) => !path.startsWith('dist/')),
    ['LICENSE', 'README.md', 'package.json'],
  );
  ok(paths.includes('dist/index.js') && paths.includes('dist/index.d.ts'));
  equal(readFileSync(join(client, 'LICENSE'), 'utf8'), readFileSync(join(root, 'LICENSE'), 'utf8'));
});

test('docs/client.md shows at least ten things that a storefront does, each in five lines or fewer', () => {
  const [setup, ...shown] = examplesOf(readFileSync(join(root, 'docs/client.md'), 'utf8'));
  equal(setup?.title, 'Create a client');
  ok(new Set(shown.map(({ title }) => title)).size >= 10, 'fewer than ten');
  const long = shown.filter(({ code }) => code.trimEnd().split('\n').length > 5);
  deepEqual(long, []);
});

test('a resolver that reads no `exports` finds the same files', () => {
  const { main, types, exports } = JSON.parse(readFileSync(join(client, 'package.json'), 'utf8'));
  deepEqual([`./${main}`, `./${types}`], [exports['.'].default, exports['.'].types]);
});

test('the bundle has at most 8 KiB gzipped and imports nothing', () => {
  const bundle = readFileSync(join(client, 'dist/index.js'));
  const size = gzipSync(bundle, { level: 9 }).byteLength;
  ok(size <= MAX_GZIPPED_BYTES, `${size} bytes`);
  // A line may end within a text, such as the path of an operation.
  const source = bundle.toString().replaceAll('\\\n', '');
  equal(/\bimport\b|\brequire\(/.test(source), false);
  deepEqual(JSON.parse(readFileSync(join(client, 'package.json'), 'utf8')).dependencies ?? {}, {});
});

test('an error that nobody catches is not buried in the bundle, of which Node prints a line', () => {
  const lines = readFileSync(join(client, 'dist/index.js'), 'utf8').split('\n');
  const longest = Math.max(...lines.map(({ length }) => length));
  ok(longest <= 500, `a line has ${longest} characters`);
});

/** Starts a server that refuses its first request with 429, and keeps all. */
async function shop(): Promise<{ server: Server; url: string; requests: IncomingMessage[] }> {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    const isFirst = requests.push(request) === 1;
    response.writeHead(isFirst ? 429 : 200, {
      'content-type': 'application/json',
      ...(isFirst && { 'retry-after': '0' }),
    });
    const list = { data: [{ name: 'Mug' }], meta: { page: 1, total_pages: 1 } };
    response.end(JSON.stringify(isFirst ? { code: 'rate_limited', message: '', request_id: '' } : list));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  if (typeof address !== 'object' || !address) throw new Error('no port');
  return { server, url: `http://127.0.0.1:${address.port}`, requests };
}

test('the bundle runs in plain Node with its own fetch', async () => {
  // Built a moment ago, so its types are those of its source.
  const built: typeof import('../../client/src/index.ts') = await import(join(client, 'dist/index.js'));
  const { createClient, formatMoney } = built;
  const { server, url, requests } = await shop();
  after(() => server.close());
  const names: string[] = [];
  for await (const { name } of createClient({ baseUrl: url, token: 't' }).products.each({
    q: 'tea & mugs',
  })) {
    names.push(name);
  }
  deepEqual(names, ['Mug']);
  deepEqual(
    requests.map(({ url, headers }) => [url, headers.authorization]),
    Array(2).fill(['/v1/products?limit=100&q=tea%20%26%20mugs', 'Bearer t']),
  );
  equal(formatMoney(1900, 'JPY', 'en'), '¥1,900');
});

/** Returns the examples of a page as a module; `names` are their free variables with their types. */
function pageSource(markdown: string, names: Readonly<Record<string, string>>): string {
  const blocks = examplesOf(markdown).map(({ code }) => code);
  const free = Object.entries(names).map(([name, type]) => `declare const ${name}: ${type};`);
  return [...blocks.slice(0, 1), ...free, ...blocks.slice(1), 'export {};'].join('\n');
}

test('the declarations are those of a strict TypeScript 5 project', () => {
  const folder = mkdtempSync(join(tmpdir(), 'client-'));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'node_modules/@storefront-edge'), { recursive: true });
  symlinkSync(client, join(folder, 'node_modules/@storefront-edge/client'), 'dir');
  const types = readFileSync(join(root, 'test/client/types.ts'), 'utf8');
  writeFileSync(
    join(folder, 'shop.ts'),
    types.replace('../../client/src/index.ts', '@storefront-edge/client'),
  );
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  const page = readFileSync(join(root, 'docs/client.md'), 'utf8');
  writeFileSync(join(folder, 'page.ts'), pageSource(page, CLIENT_EXAMPLES));
  writeFileSync(join(folder, 'quick-start.ts'), pageSource(quickStartMarkdown(), QUICK_START));
  // The last two are those that `tsc --init` turns on besides.
  const strict = ['--strict', '--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
  const options = [...strict, '--noEmit', '--target', 'es2022', '--lib', 'es2022,dom'];
  // The last one, as older React Native and bundlers do, doesn't read `exports` of package.json.
  const resolutions = [['nodenext'], ['preserve'], ['esnext', '--moduleResolution', 'node10']];
  for (const module of resolutions) {
    const tsc = join(client, 'node_modules/typescript/bin/tsc');
    const compiled = spawnSync(
      process.execPath,
      [tsc, ...options, '--module', ...module, 'shop.ts', 'page.ts', 'quick-start.ts'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    equal(compiled.stdout + compiled.stderr, '');
  }
});
