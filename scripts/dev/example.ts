/** `npm run example`: opens the storefront of examples/nextless for the demo shop of a running `npm run dev`. */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { portNumber, readArguments, reasonOf, webUrl } from '../command-line.ts';
import { isValid, obtain } from '../demo/open-demo.ts';
import { client } from './client.ts';
import { secret } from './secrets.ts';

const root = join(import.meta.dirname, '../..');

const USAGE = `npm run example [-- --port 3000] [--api http://127.0.0.1:8787] [--persist-to .wrangler/state]

  --port N          listen on 127.0.0.1:N, by default PORT or 3000
  --api URL         where npm run dev listens
  --persist-to DIR  as for npm run dev`;

/** The storefront's configuration, stored beside the demo shop's data. */
interface Configuration {
  readonly token: string;
  readonly checkoutSecret: string;
}

const read = <T>(file: string): T | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
};

/** Returns an application token and a checkout secret of the demo shop; makes both on the first start. */
async function configure(base: string, folder: string): Promise<Configuration> {
  const demo = read<{ token: string }>(join(folder, 'demo.json'));
  if (!demo || !(await isValid(base, demo.token).catch(() => false))) {
    throw new Error(`There is no demo shop at ${base}: start "npm run dev" first.`);
  }
  const file = join(folder, 'example.json');
  const kept = read<Configuration>(file);
  if (kept && (await isValid(base, kept.token))) return kept;
  const admin = client(base, secret(join(root, '.dev.vars'), 'SUPER_ADMIN_TOKEN'));
  // A server that calls for its shoppers, with a storefront's scopes only.
  const token = await obtain(admin, { name: 'Example', kind: 'storefront', server_side: true });
  const checkoutSecret = randomBytes(24).toString('base64url');
  await client(base, demo.token)('PATCH', '/v1/settings', { secrets: { checkout_secret: checkoutSecret } });
  writeFileSync(file, `${JSON.stringify({ token, checkoutSecret }, null, 2)}\n`, { mode: 0o600 });
  return { token, checkoutSecret };
}

async function main(): Promise<void> {
  const { values } = readArguments(USAGE, () =>
    parseArgs({
      options: {
        port: { type: 'string', default: process.env.PORT || '3000' },
        api: { type: 'string', default: 'http://127.0.0.1:8787' },
        'persist-to': { type: 'string', default: join(root, '.wrangler/state') },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  const [port, api] = [portNumber(values.port), webUrl('--api', values.api)];
  const folder = resolve(process.env.INIT_CWD ?? '.', values['persist-to']);
  const { token, checkoutSecret } = await configure(api, folder);
  Object.assign(process.env, {
    API_URL: api,
    PORT: String(port),
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    STOREFRONT_TOKEN: token,
    CHECKOUT_SECRET: checkoutSecret,
  });
  // It reads its environment when it is loaded.
  await import(new URL('../../examples/nextless/server.ts', import.meta.url).href);
}

await main().catch((error) => {
  console.error(reasonOf(error));
  process.exit(1);
});
