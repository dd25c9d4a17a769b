/**
 * Runs every check of `npm test`, or with `--changed` those that belong to what differs from main. Checks run side
 * by side where a core would be idle; the output of one appears as a whole when it ends, vitest's at once. Other
 * arguments are vitest's. Exits with 1 when a check failed; vitest is not started after one that did.
 */
import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { refuse } from '../command-line.ts';
import { leftMain, type Selection, select } from './changed.ts';
import './memory-disk.ts';

const root = join(import.meta.dirname, '../..');
const bin = join(root, 'node_modules/.bin');

/** Runs an npm script; prints its output when it has ended. Returns whether it succeeded. */
async function check(name: string, ...args: string[]): Promise<boolean> {
  const run = spawn('npm', ['run', '--silent', name, '--', ...args], { cwd: root });
  let output = '';
  for (const stream of [run.stdout, run.stderr]) stream.on('data', (data) => (output += data));
  const [code] = await once(run, 'close');
  process.stdout.write(`\n> ${name}${code === 0 ? '' : ' failed'}\n${output}`);
  return code === 0;
}

/** Runs vitest. `modules` limits the generated suites to the endpoints of these modules. */
async function vitest(args: readonly string[], modules: readonly string[] = []): Promise<boolean> {
  const env = { ...process.env, MODULES: modules.join() };
  const run = spawn(join(bin, 'vitest'), ['run', ...args], { cwd: root, env, stdio: 'inherit' });
  return (await once(run, 'close'))[0] === 0;
}

const allTrue = async (runs: readonly Promise<boolean>[]) => (await Promise.all(runs)).every(Boolean);

async function everything(args: readonly string[]): Promise<boolean> {
  if (!(await allTrue([check('lint'), check('typecheck'), check('contract')]))) return false;
  return allTrue([check('test:scripts'), vitest(args)]);
}

const print = (...args: string[]) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

const git = (...args: string[]) =>
  print(...args)
    .split('\n')
    .filter(Boolean);

/** Returns what to run for all that differs from main, committed or not. */
function selection(): Selection {
  const base =
    leftMain(print) ?? refuse('There is no branch main to compare with: git fetch origin main:main');
  const untracked = git('ls-files', '--others', '--exclude-standard');
  const files = [...git('ls-files'), ...untracked].filter((path) => existsSync(join(root, path)));
  return select([...git('diff', '--name-only', base), ...untracked], new Set(files));
}

async function changed(args: readonly string[]): Promise<boolean> {
  const { tests, scripts, modules } = selection();
  console.log(
    ['Tests that belong to the changes:', ...tests.map((path) => path || 'all'), ...scripts].join('\n  '),
  );
  return allTrue([
    check('lint'),
    check('typecheck'),
    ...(scripts.length > 0 ? [check('test:files', ...scripts)] : []),
    ...(tests.length > 0 ? [vitest([...tests.filter(Boolean), ...args], modules)] : []),
  ]);
}

const args = process.argv.slice(2);
const rest = args.filter((arg) => arg !== '--changed');
process.exitCode = (await (args.includes('--changed') ? changed(rest) : everything(rest))) ? 0 : 1;
