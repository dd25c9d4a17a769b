/** Deploys into a simulated account: wrangler itself needs a login. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { examine } from './checks.ts';
import { deploy, plan } from './steps.ts';
import type { Wrangler } from './wrangler.ts';

const root = join(import.meta.dirname, '../..');
const folder = mkdtempSync(join(tmpdir(), 'deploy-test-'));
after(() => rmSync(folder, { recursive: true }));

let sites = 0;

/** A new account, and a copy of wrangler.toml to deploy into it. `fails` names a command that fails. */
function account(fails: { command: string } = { command: 'none' }) {
  const name = String(++sites);
  const config = join(folder, `${name}.toml`);
  copyFileSync(join(root, 'wrangler.toml'), config);
  const has = {
    d1: new Map<string, string>(),
    kv: new Map<string, string>(),
    named: new Set<string>(),
    secrets: new Map<string, string>(),
    migrated: new Set<string>(),
  };
  const commands: string[] = [];
  const said: string[] = [];
  const id = () => `4b1d0e6a-0000-4000-8000-${String(has.d1.size + has.kv.size).padStart(12, '0')}`;
  const answers: readonly (readonly [RegExp, (...found: string[]) => string | null])[] = [
    [
      /^d1 list/,
      () =>
        JSON.stringify(
          [...has.d1].map(([name, uuid]) => ({ name, uuid })),
          null,
          2,
        ),
    ],
    [/^d1 create (\S+)$/, (name) => has.d1.set(name, id()) && 'Created'],
    [
      /^d1 migrations apply (\S+) --remote$/,
      (name) => (has.d1.has(name) ? has.migrated.add(name) && 'Applied' : null),
    ],
    [
      /^d1 migrations list (\S+)/,
      (name) => (has.migrated.has(name) ? 'No migrations to apply!' : '0001.sql'),
    ],
    [/^kv namespace list$/, () => JSON.stringify([...has.kv].map(([title, id]) => ({ title, id })))],
    [/^kv namespace create (\S+)$/, (name) => has.kv.set(name, id().replaceAll('-', '')) && 'Created'],
    [
      /^(r2 bucket|queues) info (\S+)$/,
      (kind, name) => (has.named.has(`${kind} ${name}`) ? 'It exists' : null),
    ],
    [/^(r2 bucket|queues) create (\S+)$/, (kind, name) => has.named.add(`${kind} ${name}`) && 'Created'],
    [/^secret list/, () => JSON.stringify([...has.secrets.keys()].map((name) => ({ name })))],
    [
      /^deploy --minify(?: --secrets-file (\S+))?$/,
      (file) => {
        for (const line of file ? readFileSync(file, 'utf8').trim().split('\n') : []) {
          const [key = '', value = ''] = line.split(/=(.*)/s);
          has.secrets.set(key, value);
        }
        return 'Deployed\n  https://storefront-edge.acme.workers.dev\n';
      },
    ],
  ];
  const run: Wrangler = async (...args) => {
    const command = args.join(' ');
    commands.push(command);
    if (command.startsWith(fails.command)) return { ok: false, output: 'A failure of the network.' };
    for (const [like, answer] of answers) {
      const found = like.exec(command);
      const output = found ? answer(...found.slice(1)) : null;
      if (output !== null) return { ok: true, output };
    }
    return { ok: false, output: `No such thing: ${command}` };
  };
  const secrets = join(folder, `${name}.vars`);
  const site = { run, say: (line: string) => void said.push(line), config, secrets };
  return { ...site, example: join(root, '.dev.vars.example'), has, commands, said };
}

test('the first run creates everything, writes the ids and sets the secrets', async () => {
  const site = account();
  equal(await deploy(site), 'https://storefront-edge.acme.workers.dev');
  deepEqual([...site.has.d1.keys()], ['storefront-edge', 'storefront-edge-search']);
  deepEqual([...site.has.kv.keys()], ['storefront-edge-cache']);
  deepEqual([...site.has.migrated], [...site.has.d1.keys()]);
  equal([...site.has.named].filter((name) => name.startsWith('queues')).length, 6);
  const config = readFileSync(site.config, 'utf8');
  for (const id of [...site.has.d1.values(), ...site.has.kv.values()]) ok(config.includes(`"${id}"`));
  ok(!/"0{8}/.test(config));
  match(site.has.secrets.get('SUPER_ADMIN_TOKEN') ?? '', /^\w{40}$/);
  equal(Buffer.from(site.has.secrets.get('MASTER_KEY_V1') ?? '', 'base64').length, 32);
  deepEqual([...site.has.secrets.keys()], ['SUPER_ADMIN_TOKEN', 'MASTER_KEY_V1']);
});

test('new secrets are kept for the operator alone, and neither printed nor passed as arguments', async () => {
  const site = account();
  await deploy(site);
  equal(statSync(site.secrets).mode & 0o777, 0o600);
  for (const [name, value] of site.has.secrets) {
    ok(readFileSync(site.secrets, 'utf8').includes(`${name}=${value}`));
    ok(!site.commands.concat(site.said).join('\n').includes(value));
  }
  const uploaded = /--secrets-file (\S+)/.exec(site.commands.join('\n'))?.[1] ?? '';
  ok(uploaded !== '' && !existsSync(uploaded));
});

test('a second run creates nothing and replaces no secret', async () => {
  const site = account();
  await deploy(site);
  const secrets = new Map(site.has.secrets);
  site.commands.length = 0;
  await deploy(site);
  deepEqual(
    site.commands.filter((command) => command.includes('create')),
    [],
  );
  deepEqual(site.has.secrets, secrets);
  equal(site.commands.at(-1), 'deploy --minify');
});

test('a run that fails anywhere is completed by the next, with the same secrets', async () => {
  const whole = account();
  await deploy(whole);
  for (const command of new Set(whole.commands.map((one) => one.replace(/ --secrets-file .*/, '')))) {
    const fails = { command };
    const site = account(fails);
    // What is listed by `info` fails to be found, and is then created.
    if (!command.includes(' info ')) await rejects(deploy(site), /A failure of the network/);
    const kept = existsSync(site.secrets) ? readFileSync(site.secrets, 'utf8') : null;
    fails.command = 'none';
    await deploy(site);
    deepEqual([...site.has.secrets.keys()], ['SUPER_ADMIN_TOKEN', 'MASTER_KEY_V1']);
    if (kept !== null) equal(readFileSync(site.secrets, 'utf8'), kept);
  }
});

test('a Worker with a later master key gets no first one', async () => {
  const site = account();
  site.has.secrets.set('MASTER_KEY_V2', 'x').set('SUPER_ADMIN_TOKEN', 'y');
  await deploy(site);
  deepEqual([...site.has.secrets.keys()], ['MASTER_KEY_V2', 'SUPER_ADMIN_TOKEN']);
  equal(site.has.secrets.get('SUPER_ADMIN_TOKEN'), 'y');
});

test('the plan shows every command of a first run', async () => {
  const site = account();
  const planned = plan(site.config).map((line) => line.replace(/ +#.*| --secrets-file.*/g, ''));
  await deploy(site);
  const changes = site.commands.filter((one) => /create|apply|^deploy/.test(one));
  deepEqual(
    [...changes.map((one) => `wrangler ${one.replace(/ --secrets-file.*/, '')}`), 'GET /readyz'].sort(),
    [...planned].sort(),
  );
});

/** A Worker that responds to /readyz with this. */
const worker =
  (body: object, status = 200) =>
  async () =>
    Response.json(body, { status });
const recently = new Date().toISOString();

test('the doctor finds nothing missing after a deployment', async () => {
  const site = account();
  const url = await deploy(site);
  const fetch = worker({ checks: { main_database: 'ok' }, last_cron_at: recently });
  const findings = await examine({ ...site, fetch, url });
  deepEqual(
    findings.filter(({ mend }) => mend !== null),
    [],
  );
  ok(findings.length >= 15);
});

test('the doctor names what is missing, and the command that mends it', async () => {
  const site = account();
  await deploy(site);
  site.has.named.delete('queues imports');
  site.has.migrated.delete('storefront-edge');
  site.has.secrets.delete('MASTER_KEY_V1');
  site.has.secrets.set('DEV_ALLOW_LOCAL_URLS', 'true');
  const fetch = worker({ checks: { media: 'failed' }, last_cron_at: null }, 503);
  const missing = (await examine({ ...site, fetch, url: 'https://shop.example/' })).filter(
    ({ mend }) => mend,
  );
  deepEqual(
    missing.map(({ part, mend }) => `${part}: ${mend}`),
    [
      'queue imports: npx wrangler queues create imports',
      'migrations of storefront-edge: npx wrangler d1 migrations apply storefront-edge --remote',
      'secrets: npx wrangler secret put MASTER_KEY_V1',
      'secret DEV_ALLOW_LOCAL_URLS: npx wrangler secret delete DEV_ALLOW_LOCAL_URLS',
      'media of the Worker: look at npx wrangler tail',
      'cron of the Worker: it has not run for ten minutes: npm run deploy sets it',
    ],
  );
});

test('the doctor says when the ids are not configured, and when no Worker responds', async () => {
  const site = account();
  const original = readFileSync(site.config, 'utf8');
  await deploy(site);
  writeFileSync(site.config, original);
  const fetch = () => Promise.reject(new TypeError('fetch failed'));
  const missing = (await examine({ ...site, fetch, url: 'https://shop.example' })).filter(({ mend }) => mend);
  deepEqual(
    missing.map(({ part }) => part),
    [
      'database storefront-edge',
      'database storefront-edge-search',
      'namespace storefront-edge-cache',
      'https://shop.example/readyz',
    ],
  );
});

test('without a login one sentence says how to log in', async () => {
  const { run: _, ...site } = account();
  const run: Wrangler = async () => ({
    ok: false,
    output: "ERROR In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN …\nLogs …",
  });
  const message = 'wrangler is not logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.';
  await rejects(examine({ ...site, run, fetch, url: null }), { message });
  await rejects(deploy({ ...site, run }), { message });
});

/** A database of a further shard, as docs/deploying.md adds it to wrangler.toml. */
const shardDatabase = (binding: string, name: string, at: number) => `
[[d1_databases]]
binding = "${binding}"
database_name = "${name}"
database_id = "00000000-0000-0000-0000-00000000001${at}"
migrations_dir = "migrations/main"
`;

test('a further shard is a binding: its databases are created and migrated', async () => {
  const site = account();
  const shard = shardDatabase('SHARD_02', 'edge-shard-02', 1);
  appendFileSync(site.config, shard);
  await deploy(site);
  ok(site.has.d1.has('edge-shard-02') && site.has.migrated.has('edge-shard-02'));
  const parts = async () =>
    (await examine({ ...site, fetch, url: null })).filter(({ mend }) => mend).map(({ part }) => part);
  deepEqual(await parts(), ['search of SHARD_02']);
  appendFileSync(site.config, shardDatabase('SEARCH_02', 'edge-search-02', 2));
  await deploy(site);
  ok(site.has.d1.has('edge-search-02') && site.has.migrated.has('edge-search-02'));
  deepEqual(await parts(), []);
});
