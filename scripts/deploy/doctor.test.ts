/** Examines deployments in a simulated account: what is missing, and the command that mends it. */
import { deepEqual, ok, rejects } from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { test } from 'node:test';
import { examine } from './checks.ts';
import { simulatedAccount } from './simulated-account.ts';
import { deploy } from './steps.ts';
import type { Wrangler } from './wrangler.ts';

/** A Worker that responds to /readyz with this. */
const worker =
  (body: object, status = 200) =>
  async () =>
    Response.json(body, { status });
const recently = new Date().toISOString();

test('the doctor finds nothing missing after a deployment', async () => {
  const site = simulatedAccount();
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
  const site = simulatedAccount();
  await deploy(site);
  site.has.named.delete('queues imports');
  site.has.migrated.delete('storefront-edge');
  site.has.secrets.clear();
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
      'secret SUPER_ADMIN_TOKEN: npx wrangler secret put SUPER_ADMIN_TOKEN',
      'secret MASTER_KEY_V1: npx wrangler secret put MASTER_KEY_V1',
      'secret DEV_ALLOW_LOCAL_URLS: npx wrangler secret delete DEV_ALLOW_LOCAL_URLS',
      'media of the Worker: look at npx wrangler tail',
      'cron of the Worker: it has not run for ten minutes: npm run deploy sets it',
    ],
  );
});

test('the doctor says when the ids are not configured, and when no Worker responds', async () => {
  const site = simulatedAccount();
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

test('the doctor finds logs that hold URLs', async () => {
  for (const setting of ['redact_query_string = true', 'invocation_logs = false']) {
    const site = simulatedAccount();
    await deploy(site);
    writeFileSync(site.config, readFileSync(site.config, 'utf8').replace(setting, ''));
    const missing = (await examine({ ...site, fetch, url: null })).filter(({ mend }) => mend);
    deepEqual(
      missing.map(({ part }) => part),
      ['logs without URLs in wrangler.toml'],
    );
  }
});

test('the doctor finds requests that would pass by the front door of the zone', async () => {
  const site = simulatedAccount();
  await deploy(site);
  const flag = ', "global_fetch_strictly_public"';
  writeFileSync(site.config, readFileSync(site.config, 'utf8').replace(flag, ''));
  const missing = (await examine({ ...site, fetch, url: null })).filter(({ mend }) => mend);
  const mend = 'add "global_fetch_strictly_public" to compatibility_flags';
  deepEqual(missing, [{ part: 'public requests in wrangler.toml', mend }]);
});

test('the doctor finds a wrangler.toml without a cron', async () => {
  const site = simulatedAccount();
  await deploy(site);
  writeFileSync(site.config, readFileSync(site.config, 'utf8').replace(/^crons.*$/m, ''));
  const missing = (await examine({ ...site, fetch, url: null })).filter(({ mend }) => mend);
  deepEqual(missing, [{ part: 'cron in wrangler.toml', mend: 'set [triggers] crons' }]);
});

test('a wrangler.toml that lacks a name or an id is refused with the place', async () => {
  const site = simulatedAccount();
  writeFileSync(site.config, readFileSync(site.config, 'utf8').replace(/^id = .*$/m, ''));
  const message = /^wrangler\.toml can't be used\.\n.*expected string.*\n.*kv_namespaces\[0\]\.id$/;
  await rejects(examine({ ...site, fetch, url: null }), { message });
  await rejects(deploy(site), { message });
});

test('without a login one sentence says how to log in', async () => {
  const { run: _, ...site } = simulatedAccount();
  const run: Wrangler = async () => ({
    ok: false,
    output: "ERROR In a non-interactive environment, it's necessary to set a CLOUDFLARE_API_TOKEN …\nLogs …",
  });
  const message = 'wrangler is not logged in: run npx wrangler login, or set CLOUDFLARE_API_TOKEN.';
  await rejects(examine({ ...site, run, fetch, url: null }), { message });
  await rejects(deploy({ ...site, run }), { message });
});
