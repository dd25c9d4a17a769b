/** wrangler.toml leaves parts of Hono's JSX out of the bundle: none that the service uses. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import * as jsx from 'hono/jsx';
import * as unused from './unused-hono.ts';

const src = join(import.meta.dirname, '../../src');

/** Returns the names that the service imports from `hono/jsx`. */
function importedNames(): string[] {
  const sources = globSync('**/*.{ts,tsx}', { cwd: src }).map((file) =>
    readFileSync(join(src, file), 'utf8'),
  );
  const lists = sources.flatMap((source) => [...source.matchAll(/import \{([^}]*)\} from 'hono\/jsx';/g)]);
  return lists.flatMap(([, names = '']) => names.split(',').map((name) => name.trim()));
}

test('nothing imports what the bundle has not', () => {
  const names = importedNames();
  assert.ok(names.includes('createContext'));
  assert.deepEqual(
    names.filter((name) => name in unused),
    [],
  );
});

test('only what Hono has is left out', () => {
  assert.deepEqual(
    Object.keys(unused).filter((name) => !(name in jsx)),
    [],
  );
});
