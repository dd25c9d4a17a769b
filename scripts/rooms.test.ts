/**
 * The room rules, tried out: files that break them are written into an empty tree beside a copy of
 * Biome's configuration, and Biome must refuse exactly those.
 */
import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The map of the README: what stands directly left of each room. */
const LEFT: Readonly<Record<string, readonly string[]>> = {
  tenants: [],
  access: ['tenants'],
  webhooks: ['tenants'],
  inventory: ['webhooks'],
  catalog: ['inventory'],
  search: ['catalog'],
  feed: ['catalog'],
  imports: ['catalog'],
  theme: ['tenants'],
  pricing: [],
  promotions: ['tenants'],
  cart: ['catalog', 'orders'],
  customers: ['checkout'],
  orders: ['inventory', 'pricing', 'promotions'],
  checkout: ['access', 'cart', 'orders', 'theme'],
};
const ROOMS = Object.keys(LEFT);

/** Everything left of a room. */
const reach = (room: string): Set<string> =>
  new Set((LEFT[room] ?? []).flatMap((door) => [door, ...reach(door)]));

const trees: string[] = [];
after(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

/** The files that Biome refuses by `rule`, out of `files` (path → content) in a tree of their own. */
function refused(rule: string, files: Readonly<Record<string, string>>): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'rooms-'));
  trees.push(tree);
  for (const name of ['biome.json', 'biome.rooms.jsonc']) copyFileSync(join(root, name), join(tree, name));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), `${content}\n`);
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const args = ['lint', `--only=${rule}`, '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  const run = spawnSync(biome, [...args, 'src'], { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 26 });
  const report: { diagnostics: { location: { path: string } }[] } = JSON.parse(run.stdout);
  return [...new Set(report.diagnostics.map((one) => one.location.path))].sort();
}

test('a room opens the doors left of it, and no other', () => {
  const files: Record<string, string> = {};
  const wrong: string[] = [];
  for (const room of [...ROOMS, 'kernel', 'panel']) {
    for (const door of ROOMS.filter((other) => other !== room)) {
      const path = `src/${room}/opens-${door}.ts`;
      files[path] = `import '../${door}/index.ts';`;
      if (room !== 'panel' && !reach(room).has(door)) wrong.push(path);
    }
  }
  deepEqual(refused('style/noRestrictedImports', files), wrong.sort());
});

test('what is behind a door stays there', () => {
  const files = {
    'src/catalog/own.ts': "import './store.ts';",
    'src/catalog/kernel.ts': "import '../kernel/money.ts';",
    'src/catalog/inside.ts': "import '../tenants/store.ts';",
    'src/catalog/type.ts': "import type { Row } from '../tenants/tables.ts';\nexport type { Row };",
    'src/catalog/again.ts': "export * from '../tenants/store.ts';",
    'src/catalog/later.ts': "export const later = () => import('../tenants/store.ts');",
    'src/catalog/up.ts': "import '../app.ts';",
    'src/panel/inside.ts': "import '../catalog/store.ts';",
  };
  const wrong = ['again', 'inside', 'later', 'type', 'up'].map((name) => `src/catalog/${name}.ts`);
  deepEqual(refused('style/noRestrictedImports', files), [...wrong, 'src/panel/inside.ts']);
});

test('routes belong to app.ts alone', () => {
  const files = {
    'src/catalog/own.ts': "import './routes.ts';",
    'src/panel/other.ts': "import '../cart/routes.ts';",
  };
  deepEqual(refused('style/noRestrictedImports', files), Object.keys(files));
  const app = { 'src/app.ts': "import './catalog/routes.ts';\nimport './access/index.ts';" };
  deepEqual(refused('style/noRestrictedImports', app), []);
  deepEqual(refused('style/noRestrictedImports', { 'src/app.ts': "import './catalog/store.ts';" }), [
    'src/app.ts',
  ]);
  deepEqual(refused('style/noRestrictedImports', { 'src/index.ts': "import './cart/routes.ts';" }), [
    'src/index.ts',
  ]);
});

test('no circle, in a room either', () => {
  const files = {
    'src/cart/lines.ts': "import { total } from './total.ts';\nexport const lines = () => total;",
    'src/cart/total.ts': "import { lines } from './lines.ts';\nexport const total = () => lines;",
    'src/cart/straight.ts': "import { total } from './total.ts';\nexport const straight = total;",
  };
  deepEqual(refused('suspicious/noImportCycles', files), ['src/cart/lines.ts', 'src/cart/total.ts']);
});
