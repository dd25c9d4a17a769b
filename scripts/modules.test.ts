/**
 * Tests the import rules between modules: writes files that break them into a temporary tree with a copy of
 * Biome's configuration, and expects Biome to report exactly those files.
 */
import { deepEqual } from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, test } from 'node:test';

const root = join(import.meta.dirname, '..');

/** The modules whose public API each module may import. */
const IMPORTS: Readonly<Record<string, readonly string[]>> = {
  shipping: [],
  audit: [],
  insights: [],
  tenants: ['shipping'],
  access: ['insights', 'tenants'],
  events: ['tenants'],
  webhooks: ['events', 'tenants'],
  inventory: ['events', 'tenants'],
  media: ['tenants'],
  catalog: ['events', 'inventory', 'media', 'tenants'],
  search: ['catalog', 'events', 'tenants'],
  feed: ['catalog', 'events', 'tenants'],
  imports: ['catalog', 'events', 'inventory', 'media', 'tenants'],
  theme: ['events', 'media', 'shipping', 'tenants'],
  promotions: ['events', 'tenants'],
  pricing: ['shipping'],
  orders: ['catalog', 'events', 'insights', 'inventory', 'pricing', 'promotions', 'tenants'],
  cart: [
    'catalog',
    'events',
    'insights',
    'inventory',
    'orders',
    'pricing',
    'promotions',
    'shipping',
    'tenants',
  ],
  checkout: ['access', 'cart', 'inventory', 'orders', 'pricing', 'shipping', 'tenants', 'theme'],
  customers: ['cart', 'checkout', 'events', 'orders', 'promotions', 'tenants', 'webhooks'],
  web: ['audit', 'customers', 'tenants'],
  ucp: ['access', 'cart', 'catalog', 'checkout', 'orders', 'search', 'tenants', 'webhooks'],
  panel: [
    'access',
    'audit',
    'catalog',
    'customers',
    'events',
    'feed',
    'imports',
    'insights',
    'inventory',
    'media',
    'moves',
    'orders',
    'promotions',
    'shipping',
    'tenants',
    'theme',
    'ucp',
    'web',
    'webhooks',
  ],
  moves: ['search', 'tenants', 'transfer'],
  transfer: ['cart', 'media', 'tenants'],
  demo: ['access', 'tenants', 'theme', 'web'],
  maintenance: [
    'audit',
    'catalog',
    'checkout',
    'customers',
    'events',
    'imports',
    'insights',
    'inventory',
    'media',
    'moves',
    'orders',
    'promotions',
    'search',
    'tenants',
    'ucp',
    'web',
    'webhooks',
  ],
};
const MODULES = Object.keys(IMPORTS);

/** Returns what a module builds on, directly or through others. */
function basesOf(name: string, direct: Readonly<Record<string, readonly string[]>>): string[] {
  const bases = (direct[name] ?? []).flatMap((one) => [one, ...basesOf(one, direct)]);
  return [...new Set(bases)].sort();
}

/** Returns how deep the folders of a module lie within each other: 0 for a module without subfolders. */
function depth(path: string): number {
  const folders = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  return folders.length === 0 ? 0 : 1 + Math.max(...folders.map((entry) => depth(join(path, entry.name))));
}

const trees: string[] = [];
after(() => {
  for (const tree of trees) rmSync(tree, { recursive: true });
});

/** Writes `files` (path → content) to a temporary tree and returns those that Biome reports for `rule`. */
function refused(rule: string, files: Readonly<Record<string, string>>): string[] {
  const tree = mkdtempSync(join(tmpdir(), 'modules-'));
  trees.push(tree);
  for (const name of ['biome.json', 'biome.modules.jsonc']) copyFileSync(join(root, name), join(tree, name));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(tree, path)), { recursive: true });
    writeFileSync(join(tree, path), `${content}\n`);
  }
  const biome = join(root, 'node_modules/.bin/biome');
  const args = ['lint', '--vcs-enabled=false', '--reporter=json', '--max-diagnostics=none'];
  const run = spawnSync(biome, [...args, '.'], { cwd: tree, encoding: 'utf8', maxBuffer: 1 << 26 });
  const report: { diagnostics: { category: string; location: { path: string } }[] } = JSON.parse(run.stdout);
  const broken = report.diagnostics.filter((one) => one.category === `lint/${rule}`);
  return [...new Set(broken.map((one) => one.location.path))].sort();
}

test('a module may import only the modules that its rule lists, at any depth', () => {
  const files: Record<string, string> = {};
  const wrong: string[] = [];
  for (const name of [...MODULES, 'kernel/core']) {
    for (const other of MODULES.filter((one) => one !== name)) {
      for (let level = 0; level <= depth(join(root, 'src', name)); level++) {
        const path = `src/${name}/${'inner/'.repeat(level)}imports-${other}.ts`;
        files[path] = `import '${'../'.repeat(path.split('/').length - 2)}${other}/index.ts';`;
        if (!IMPORTS[name]?.includes(other)) wrong.push(path);
      }
    }
  }
  deepEqual(refused('style/noRestrictedImports', files), wrong.sort());
});

test('a module may import only the public API of another module', () => {
  const files = {
    'src/catalog/own.ts': "import './store.ts';",
    'src/catalog/kernel.ts': "import '../kernel/core/money.ts';",
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

test('the demo alone may import the client, which imports nothing of the project', () => {
  const files = {
    'src/demo/shop.ts': "import '../../client/src/index.ts';",
    'src/demo/inside.ts': "import '../../client/src/transport.ts';",
    'src/demo/example.ts': "import '../../examples/nextless/views.ts';",
    'src/panel/shop.ts': "import '../../client/src/index.ts';",
    'src/catalog/products/shop.ts': "import '../../../client/src/index.ts';",
    'client/src/own.ts': "import './transport.ts';\nimport './generated/schema.ts';",
    'client/src/service.ts': "import '../../src/kernel/values/money.ts';",
  };
  const wrong = ['catalog/products/shop', 'demo/example', 'demo/inside', 'panel/shop'].map(
    (name) => `src/${name}.ts`,
  );
  deepEqual(refused('style/noRestrictedImports', files), ['client/src/service.ts', ...wrong]);
});

test('the page of the architecture has every module, and an arrow from all that it builds on', () => {
  const page = readFileSync(join(root, 'docs/architecture.md'), 'utf8');
  const rows = [...page.matchAll(/^\| `(\w+)` /gm)].map(([, name = '']) => name);
  deepEqual(rows.sort(), [...MODULES, 'kernel'].sort());
  const [, diagram = ''] = /one way[^`]*```\n(.*?)```/s.exec(page) ?? [];
  const shown: Record<string, string[]> = {};
  for (const chain of diagram.split(/[·\n]/)) {
    const steps = chain.split('←').map((step) => step.split(',').map((name) => name.trim()));
    for (const [n, modules] of steps.entries()) {
      for (const name of modules) shown[name] = [...(shown[name] ?? []), ...(steps[n - 1] ?? [])];
    }
  }
  for (const name of MODULES) {
    const outside = ['kernel', 'client'];
    const bases = basesOf(name, shown).filter((one) => !outside.includes(one));
    deepEqual({ name, bases }, { name, bases: basesOf(name, IMPORTS) });
  }
});

test('only app.ts may import routes', () => {
  const files = {
    'src/catalog/own.ts': "import './routes.ts';",
    'src/panel/other.ts': "import '../cart/routes.ts';",
  };
  deepEqual(refused('style/noRestrictedImports', files), Object.keys(files));
  const app = { 'src/app.ts': "import './catalog/products/routes.ts';\nimport './access/index.ts';" };
  deepEqual(refused('style/noRestrictedImports', app), []);
  deepEqual(refused('style/noRestrictedImports', { 'src/app.ts': "import './catalog/store.ts';" }), [
    'src/app.ts',
  ]);
  deepEqual(refused('style/noRestrictedImports', { 'src/index.ts': "import './cart/routes.ts';" }), [
    'src/index.ts',
  ]);
});

test('import cycles are reported inside a module too, and those of types', () => {
  const files = {
    'src/cart/lines.ts': "import { total } from './total.ts';\nexport const lines = () => total;",
    'src/cart/total.ts': "import { lines } from './lines.ts';\nexport const total = () => lines;",
    'src/cart/straight.ts': "import { total } from './total.ts';\nexport const straight = total;",
    'src/cart/item.ts':
      "import type { Offer } from './offer.ts';\nexport interface Item {\n  readonly offer: Offer;\n}",
    'src/cart/offer.ts':
      "import type { Item } from './item.ts';\nexport interface Offer {\n  readonly items: readonly Item[];\n}",
  };
  deepEqual(
    refused('suspicious/noImportCycles', files).sort(),
    ['item', 'lines', 'offer', 'total'].map((name) => `src/cart/${name}.ts`),
  );
});

test('only the log writes to the console', () => {
  const files = {
    'src/cart/loud.ts': "export const loud = () => console.warn('a line without a shape');",
    'src/kernel/core/log.ts': "export const log = () => console.log('a line');",
    'src/index.ts': "console.log('started');",
  };
  deepEqual(refused('suspicious/noConsole', files), ['src/cart/loud.ts', 'src/index.ts']);
});

test('objects are found by name in one place, which knows their jurisdiction', () => {
  const naming = /\.(?:getByName|idFromName|idFromString|newUniqueId|jurisdiction)\(/;
  const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const found = files.filter(
    (file) => /\.tsx?$/.test(file) && naming.test(readFileSync(join(root, 'src', file), 'utf8')),
  );
  // The health check's object is no tenant's.
  deepEqual(found.sort(), ['kernel/data/jurisdiction.ts', 'maintenance/health.ts']);
});
