/** `npm run deploy`: creates what the service needs in a Cloudflare account, and deploys it. See docs/deploying.md. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { readArguments } from '../command-line.ts';
import { deploy, plan } from './steps.ts';
import { wrangler } from './wrangler.ts';

const root = join(import.meta.dirname, '../..');
const config = join(root, 'wrangler.toml');

const USAGE = `npm run deploy [-- --dry-run]

  --dry-run  print every command of a first deployment and run none`;

/** Waits until a new deployment is ready, for a minute at most. */
async function ready(url: string): Promise<boolean> {
  for (let left = 60_000, until = Date.now() + left; left > 0; left = until - Date.now()) {
    const signal = AbortSignal.timeout(Math.min(15_000, left));
    const response = await fetch(`${url}/readyz`, { signal }).catch(() => null);
    if (response?.ok) return true;
    await sleep(2_000);
  }
  return false;
}

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, () =>
    parseArgs({ options: { 'dry-run': { type: 'boolean' }, help: { type: 'boolean', short: 'h' } } }),
  );
  if (values['dry-run']) return console.log(plan(config).join('\n'));
  const url = await deploy({
    run: wrangler,
    say: console.log,
    config,
    example: join(root, '.dev.vars.example'),
    secrets: join(root, '.production.vars'),
  });
  if (url === null) return console.log('Deployed. npm run doctor -- --url URL checks it.');
  if (await ready(url)) return console.log(`Deployed and ready: ${url}`);
  throw new Error(`Deployed, but not ready: npm run doctor -- --url ${url} says what is missing.`);
}

await main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
