/**
 * `npm run test:upgrade`: the previous release's code runs its own journeys on this release's schema, as it does while
 * a deployment is gradual: the migrations are applied first, and old isolates serve on. With one shard, then with two.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { readArguments, refuse } from '../command-line.ts';

const root = join(import.meta.dirname, '../..');

const USAGE = `npm run test:upgrade [-- --from REF]

  --from REF  the release that is running; by default the commit before the last change of the migrations

Exits with 0 when its journeys pass on this checkout's migrations, or the clone is too shallow to have it.`;

/** Whole stories over most tables: a purchase, an agreed API, refunds, and what webhooks get. */
const JOURNEYS = ['purchase', 'shop-story', 'refunds', 'webhook-pipeline'];

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();

/** Returns the commit of a name, or null if the clone doesn't have it. */
function commitOf(name: string): string | null {
  try {
    return git('rev-parse', '--verify', '--quiet', `${name}^{commit}`);
  } catch {
    return null;
  }
}

/** Returns the last commit with other migrations than the checkout's newest ones. */
function beforeLastMigration(): string | null {
  const changed = git('log', '-1', '--format=%H', '--', 'migrations');
  return changed ? commitOf(`${changed}~1`) : null;
}

/** Puts an earlier commit into `folder`, with this checkout's packages and migrations. Returns its journeys. */
function checkOut(commit: string, folder: string): string[] {
  git('worktree', 'add', '--detach', folder, commit);
  for (const packages of ['node_modules', 'client/node_modules']) {
    if (!existsSync(join(root, packages))) continue;
    mkdirSync(join(folder, packages));
    for (const name of readdirSync(join(root, packages))) {
      // Caches are the checkout's own.
      if (name !== '.cache' && name !== '.vite')
        symlinkSync(join(root, packages, name), join(folder, packages, name));
    }
  }
  rmSync(join(folder, 'migrations'), { recursive: true });
  cpSync(join(root, 'migrations'), join(folder, 'migrations'), { recursive: true });
  return readdirSync(join(folder, 'test/journeys'), { recursive: true, encoding: 'utf8' })
    .filter((file) => JOURNEYS.includes(basename(file, '.test.ts')))
    .map((file) => `test/journeys/${file}`);
}

const { values } = readArguments(USAGE, () =>
  parseArgs({ options: { from: { type: 'string' }, help: { type: 'boolean', short: 'h' } } }),
);
const commit = values.from === undefined ? beforeLastMigration() : commitOf(values.from);
if (!commit) {
  if (values.from !== undefined) refuse(`This clone has no commit ${values.from}.`);
  console.log('This clone has no earlier release: fetch more of its history to test an upgrade.');
} else {
  const folder = join(mkdtempSync(join(tmpdir(), 'upgrade-')), 'previous');
  try {
    const files = checkOut(commit, folder);
    const vitest = join(folder, 'node_modules/.bin/vitest');
    const passes = (shards: string): boolean => {
      console.log(`The code of ${commit.slice(0, 8)} on this checkout's migrations, shards: ${shards}`);
      const env = { ...process.env, SHARDS: shards };
      return spawnSync(vitest, ['run', ...files], { cwd: folder, stdio: 'inherit', env }).status === 0;
    };
    process.exitCode = files.length > 0 && ['1', '2'].every(passes) ? 0 : 1;
  } finally {
    git('worktree', 'remove', '--force', folder);
    rmSync(dirname(folder), { recursive: true });
  }
}
