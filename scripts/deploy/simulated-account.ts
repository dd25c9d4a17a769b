import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { Wrangler } from './wrangler.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'deploy-test-'));
after(() => rmSync(folder, { recursive: true }));

let accounts = 0;

/** What the simulated account has: ids by the names of databases and namespaces, values by the names of secrets. */
interface Resources {
  readonly d1: Map<string, string>;
  readonly kv: Map<string, string>;
  /** Buckets and queues: `queues imports`. */
  readonly named: Set<string>;
  readonly secrets: Map<string, string>;
  /** The databases whose migrations are applied. */
  readonly migrated: Set<string>;
}

/** A command of wrangler, and what it prints; null if it fails. */
type Command = readonly [pattern: RegExp, print: (...groups: string[]) => string | null];

const databaseCommands = ({ d1, migrated }: Resources, id: () => string): readonly Command[] => [
  [
    /^d1 list/,
    () =>
      JSON.stringify(
        [...d1].map(([name, uuid]) => ({ name, uuid })),
        null,
        2,
      ),
  ],
  [/^d1 create (\S+)$/, (name) => d1.set(name, id()) && 'Created'],
  [/^d1 migrations apply (\S+) --remote$/, (name) => (d1.has(name) ? migrated.add(name) && 'Applied' : null)],
  [/^d1 migrations list (\S+)/, (name) => (migrated.has(name) ? 'No migrations to apply!' : '0001.sql')],
];

const storageCommands = ({ kv, named }: Resources, id: () => string): readonly Command[] => [
  [/^kv namespace list$/, () => JSON.stringify([...kv].map(([title, id]) => ({ title, id })))],
  [/^kv namespace create (\S+)$/, (name) => kv.set(name, id().replaceAll('-', '')) && 'Created'],
  // A bucket of a jurisdiction is found and created with its option alone: each jurisdiction has names of its own.
  [/^(r2 bucket|queues) info (\S.*)$/, (kind, name) => (named.has(`${kind} ${name}`) ? 'It exists' : null)],
  [/^(r2 bucket|queues) create (\S.*)$/, (kind, name) => named.add(`${kind} ${name}`) && 'Created'],
];

const workerCommands = ({ secrets }: Resources): readonly Command[] => [
  [/^secret list/, () => JSON.stringify([...secrets.keys()].map((name) => ({ name })))],
  [
    /^deploy --minify(?: --secrets-file (\S+))?$/,
    (file) => {
      for (const line of file ? readFileSync(file, 'utf8').trim().split('\n') : []) {
        const [key = '', value = ''] = line.split(/=(.*)/s);
        secrets.set(key, value);
      }
      return 'Deployed\n  https://storefront-edge.acme.workers.dev\n';
    },
  ],
];

/** Returns a wrangler.toml as before its first deployment: its preview ids are the placeholders of all ids. */
const undeployed = (text: string): string =>
  text.replace(/^((?:database_)?id = )"[^"]*"(?=\npreview_(?:database_)?id = ("[^"]*"))/gm, '$1$2');

/**
 * Creates an account, and a copy of a wrangler.toml to deploy into it, without the ids of an earlier deployment;
 * `fails` names a command that fails.
 */
export function simulatedAccount(
  fails: { command: string } = { command: 'none' },
  original: string = join(root, 'wrangler.toml'),
) {
  const name = String(++accounts);
  const config = join(folder, `${name}.toml`);
  writeFileSync(config, undeployed(readFileSync(original, 'utf8')));
  const has: Resources = {
    d1: new Map(),
    kv: new Map(),
    secrets: new Map(),
    named: new Set(),
    migrated: new Set(),
  };
  const id = () => `4b1d0e6a-0000-4000-8000-${String(has.d1.size + has.kv.size).padStart(12, '0')}`;
  const known = [...databaseCommands(has, id), ...storageCommands(has, id), ...workerCommands(has)];
  const commands: string[] = [];
  const said: string[] = [];
  const run: Wrangler = async (...args) => {
    const command = args.join(' ');
    commands.push(command);
    if (command.startsWith(fails.command)) return { ok: false, output: 'A failure of the network.' };
    for (const [pattern, print] of known) {
      const found = pattern.exec(command);
      const output = found ? print(...found.slice(1)) : null;
      if (output !== null) return { ok: true, output };
    }
    return { ok: false, output: `A request to the Cloudflare API failed.\n  ${args[0]}: it does not exist.` };
  };
  const site = {
    run,
    say: (line: string) => void said.push(line),
    config,
    secrets: join(folder, `${name}.vars`),
  };
  return { ...site, example: join(root, '.dev.vars.example'), has, commands, said };
}
