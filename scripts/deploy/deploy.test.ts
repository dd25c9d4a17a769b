/** Deploys into a simulated account: wrangler itself needs a login. */
import { deepEqual, equal, match, ok, rejects } from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { unstable_readConfig } from 'wrangler';
import { examine } from './checks.ts';
import { simulatedAccount } from './simulated-account.ts';
import { deploy, plan } from './steps.ts';
import type { Wrangler } from './wrangler.ts';

test('the first run creates everything, writes the ids and sets the secrets', async () => {
  const site = simulatedAccount();
  equal(await deploy(site), 'https://storefront-edge.acme.workers.dev');
  deepEqual([...site.has.d1.keys()], ['storefront-edge', 'storefront-edge-search']);
  deepEqual([...site.has.kv.keys()], ['storefront-edge-cache']);
  deepEqual([...site.has.migrated], [...site.has.d1.keys()]);
  equal([...site.has.named].filter((name) => name.startsWith('queues')).length, 6);
  const config = readFileSync(site.config, 'utf8');
  for (const id of [...site.has.d1.values(), ...site.has.kv.values()]) ok(config.includes(`"${id}"`));
  ok(!/^(?:database_)?id = "0{8}/m.test(config));
  match(site.has.secrets.get('SUPER_ADMIN_TOKEN') ?? '', /^\w{40}$/);
  equal(Buffer.from(site.has.secrets.get('MASTER_KEY_V1') ?? '', 'base64').length, 32);
  deepEqual([...site.has.secrets.keys()], ['SUPER_ADMIN_TOKEN', 'MASTER_KEY_V1']);
});

test('a repository whose wrangler.toml has the ids of its deployment is tested as one without', async () => {
  const deployed = simulatedAccount();
  await deploy(deployed);
  const site = simulatedAccount({ command: 'none' }, deployed.config);
  await deploy(site);
  deepEqual([...site.has.d1.keys()], [...deployed.has.d1.keys()]);
  deepEqual([...site.has.kv.keys()], [...deployed.has.kv.keys()]);
});

test('the data of npm run dev, which has the name of an id, is found after a deployment', async () => {
  const site = simulatedAccount();
  const before = localNames(site.config);
  await deploy(site);
  deepEqual(localNames(site.config), before);
});

/** What wrangler reads of the databases and namespaces. */
interface Stores {
  readonly d1_databases: readonly { preview_database_id?: string; database_id?: string }[];
  readonly kv_namespaces: readonly { preview_id?: string; id?: string }[];
}

/** Returns the names under which wrangler dev keeps the data of databases and namespaces. */
function localNames(file: string): readonly string[] {
  const { d1_databases, kv_namespaces }: Stores = unstable_readConfig({ config: file });
  return [
    ...d1_databases.map((one) => one.preview_database_id ?? one.database_id ?? ''),
    ...kv_namespaces.map((one) => one.preview_id ?? one.id ?? ''),
  ];
}

test('new secrets are kept for the operator alone, and neither printed nor passed as arguments', async () => {
  const site = simulatedAccount();
  await deploy(site);
  equal(statSync(site.secrets).mode & 0o777, 0o600);
  for (const [name, value] of site.has.secrets) {
    ok(readFileSync(site.secrets, 'utf8').includes(`${name}=${value}`));
    ok(!site.commands.concat(site.said).join('\n').includes(value));
  }
  const uploaded = /--secrets-file (\S+)/.exec(site.commands.join('\n'))?.[1] ?? '';
  ok(uploaded !== '' && !existsSync(uploaded));
});

test('a value that the operator wrote beforehand stays whole, also without a line break at the end', async () => {
  const site = simulatedAccount();
  writeFileSync(site.secrets, 'SUPER_ADMIN_TOKEN=chosen-by-the-operator-0123456789');
  await deploy(site);
  equal(site.has.secrets.get('SUPER_ADMIN_TOKEN'), 'chosen-by-the-operator-0123456789');
  for (const [name, value] of site.has.secrets)
    ok(readFileSync(site.secrets, 'utf8').split('\n').includes(`${name}=${value}`));
});

test('a second run creates nothing and replaces no secret', async () => {
  const site = simulatedAccount();
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
  const whole = simulatedAccount();
  await deploy(whole);
  for (const command of new Set(whole.commands.map((one) => one.replace(/ --secrets-file .*/, '')))) {
    const fails = { command };
    const site = simulatedAccount(fails);
    await rejects(deploy(site), /A failure of the network/);
    const kept = existsSync(site.secrets) ? readFileSync(site.secrets, 'utf8') : null;
    fails.command = 'none';
    await deploy(site);
    deepEqual([...site.has.secrets.keys()], ['SUPER_ADMIN_TOKEN', 'MASTER_KEY_V1']);
    if (kept !== null) equal(readFileSync(site.secrets, 'utf8'), kept);
  }
});

test('a Worker that does not exist yet has no secrets; a failed look-up of them replaces none', async () => {
  const first = simulatedAccount();
  const [missing, malformed, unknown] = [
    'ERROR Worker "storefront-edge" not found.\n\nIf this is a new Worker, run `wrangler deploy` first to create it.',
    // A page of something between wrangler and the API.
    'ERROR Received a malformed response from the API\n<html>\nGET /accounts/1/workers/scripts/a/secrets -> 404 Not Found',
    'ERROR A request to the Cloudflare API (/accounts/ab10007c/workers/scripts/a/secrets) failed.\n[code: 10001]',
  ];
  const answering =
    (site: typeof first, output: string): Wrangler =>
    async (...args) =>
      args[0] === 'secret' ? { ok: false, output } : site.run(...args);
  await deploy({ ...first, run: answering(first, missing) });
  equal(first.has.secrets.size, 2);
  for (const output of [malformed, unknown]) {
    const site = simulatedAccount();
    await deploy(site);
    const before = [...site.has.secrets];
    rmSync(site.secrets);
    await rejects(deploy({ ...site, run: answering(site, output) }), /wrangler secret list failed/);
    deepEqual([...site.has.secrets], before);
  }
});

test('a Worker with a later master key gets no first one', async () => {
  const site = simulatedAccount();
  site.has.secrets.set('MASTER_KEY_V2', 'x').set('SUPER_ADMIN_TOKEN', 'y');
  await deploy(site);
  deepEqual([...site.has.secrets.keys()], ['MASTER_KEY_V2', 'SUPER_ADMIN_TOKEN']);
  equal(site.has.secrets.get('SUPER_ADMIN_TOKEN'), 'y');
});

test('the plan shows every command of a first run', async () => {
  const site = simulatedAccount();
  const planned = plan(site.config).map((line) => line.replace(/ +#.*| --secrets-file.*/g, ''));
  await deploy(site);
  const changes = site.commands.filter((one) => /create|apply|^deploy/.test(one));
  deepEqual(
    [...changes.map((one) => `npx wrangler ${one.replace(/ --secrets-file.*/, '')}`), 'GET /readyz'].sort(),
    [...planned].sort(),
  );
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
  const site = simulatedAccount();
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

test('the bucket of a deployment in the EU is looked for, and created, there', async () => {
  const bucket = 'r2 bucket storefront-edge-media --jurisdiction eu';
  for (const existing of [[bucket], []]) {
    const site = simulatedAccount();
    for (const name of existing) site.has.named.add(name);
    const text = readFileSync(site.config, 'utf8');
    writeFileSync(
      site.config,
      text.replace('bucket_name = "storefront-edge-media"', '$&\njurisdiction = "eu"'),
    );
    await deploy(site);
    deepEqual(
      [...site.has.named].filter((name) => name.startsWith('r2')),
      [bucket],
    );
    const findings = await examine({ ...site, fetch, url: null });
    deepEqual(
      findings.filter(({ mend }) => mend !== null),
      [],
    );
  }
});

test('an interrupted deployment leaves no secrets among the temporary files', {
  timeout: 30_000,
}, async () => {
  const site = simulatedAccount();
  await deploy(site);
  const { config, example, secrets } = site;
  const temporary = mkdtempSync(join(tmpdir(), 'interrupted-'));
  after(() => rmSync(temporary, { recursive: true }));
  // The upload has begun, and takes longer than the operator waits.
  const source = `
    const { deploy } = await import(${JSON.stringify(join(import.meta.dirname, 'steps.ts'))});
    const run = async (...args) => {
      if (args[0] !== 'deploy') return { ok: true, output: '[]' };
      console.log('uploading');
      return new Promise((done) => setTimeout(done, 60_000));
    };
    await deploy({ run, say() {}, ...${JSON.stringify({ config, example, secrets })} });`;
  const program = spawn(process.execPath, ['--input-type=module', '--eval', source], {
    env: { ...process.env, TMPDIR: temporary },
  });
  match(String((await once(program.stdout, 'data'))[0]), /uploading/);
  equal(readdirSync(temporary).length, 1);
  program.kill('SIGINT');
  await once(program, 'close');
  deepEqual(readdirSync(temporary), []);
  equal(program.exitCode, 130);
});
