/** Which tests belong to a change: those beside what changed, as test/ mirrors src/. */

/** What to run for a change. */
export interface Selection {
  /** Filters for vitest: folders and files. An empty string matches every file. */
  readonly tests: readonly string[];
  /** Files for Node's own test runner. */
  readonly scripts: readonly string[];
  /** The modules whose endpoints the generated suites of test/contract call; of all modules when empty. */
  readonly modules: readonly string[];
}

/** The generated suites that can be limited to the endpoints of some modules. */
const BY_ENDPOINT = ['generated', 'input', 'security'].map((name) => `test/contract/${name}.test.ts`);

const EVERYTHING = '';

/** What every test depends on. */
const SHARED = /^(test\/support\/|migrations\/|vitest\.config\.ts$|wrangler\.toml$|package(-lock)?\.json$)/;

/** Returns the vitest filters of one changed file; none for a file that only other checks read. */
function testsOf(path: string, files: ReadonlySet<string>): string[] {
  if (SHARED.test(path)) return [EVERYTHING];
  if (/^test\/.*\.test\.tsx?$/.test(path)) return files.has(path) ? [path] : [];
  const [, module] = /^(?:src|test)\/([^/]+)\//.exec(path) ?? [];
  if (module === 'kernel') return ['test/kernel/', 'test/contract/'];
  if (module) return [`test/${module}/`];
  if (path.startsWith('src/')) return ['test/contract/'];
  if (path.startsWith('client/') || path === 'docs/client.md') return ['test/client/'];
  return [];
}

/** Returns the tests of the scripts that belong to one changed file: those of its folder, or of all documents. */
function scriptsOf(path: string, files: ReadonlySet<string>): string[] {
  if (/^scripts\/[^/]+\.test\.ts$/.test(path)) return files.has(path) ? [path] : [];
  if (/^(?:docs\/.*|README|CONTRIBUTING)\.md$/.test(path)) return ['scripts/docs.test.ts'];
  if (path.startsWith('client/')) return ['scripts/contract/client.test.ts'];
  if (path.startsWith('examples/')) return ['scripts/dev/example.test.ts'];
  if (path.startsWith('biome')) return ['scripts/modules.test.ts'];
  const [folder] = /^(?:scripts\/(?!browser)[^/]+|migrations)\//.exec(path) ?? [];
  if (!folder) return [];
  const tested = folder === 'migrations/' ? 'scripts/migrations/' : folder;
  return [...files].filter((file) => file.startsWith(tested) && file.endsWith('.test.ts'));
}

/** Returns what to run when `changed` were added, edited or deleted in a tree of these files (paths from its root). */
export function select(changed: readonly string[], files: ReadonlySet<string>): Selection {
  const found = [...new Set(changed.flatMap((path) => testsOf(path, files)))].sort();
  const scripts = [...new Set(changed.flatMap((path) => scriptsOf(path, files)))].sort();
  if (found.includes(EVERYTHING)) return { tests: [EVERYTHING], scripts, modules: [] };
  const folders = found.filter((path) => path.endsWith('/'));
  const tests = found.filter(
    (path) => folders.includes(path) || !folders.some((folder) => path.startsWith(folder)),
  );
  if (folders.includes('test/contract/')) return { tests, scripts, modules: [] };
  const modules = folders
    .map((folder) => folder.split('/')[1] ?? '')
    .filter((module) => files.has(`test/${module}/samples.ts`));
  return { tests: modules.length > 0 ? [...tests, ...BY_ENDPOINT] : tests, scripts, modules };
}

/**
 * Returns the commit where the checkout left main, or the main of its origin, which a clone of another branch has
 * alone; `null` where there is neither. `git` returns what a command prints, and throws if it fails.
 */
export function leftMain(git: (...args: string[]) => string): string | null {
  for (const main of ['main', 'origin/main']) {
    try {
      return git('merge-base', main, 'HEAD').trim();
    } catch {
      // Not known here, or of another history.
    }
  }
  return null;
}
