/** `npm run dev`: runs the whole service locally, with a demo shop. See the README. */
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { portNumber, readArguments, reasonOf, webUrl } from '../command-line.ts';
import { openDemo, rebuildSearch } from '../demo/open-demo.ts';
import { claim } from './claim.ts';
import { onShellGone } from './npm-shell.ts';
import { makeSecrets, secret, setSecret } from './secrets.ts';
import { migrate, portIsFree, Server } from './server.ts';

const root = join(import.meta.dirname, '../..');
const secrets = join(root, '.dev.vars');

const USAGE = `npm run dev [-- --port 8787] [--persist-to .wrangler/state] [--public-url URL]

  --port N          listen on 127.0.0.1:N
  --persist-to DIR  keep databases, caches and objects in DIR
  --public-url URL  the origin of a proxy in front; links to pictures of the demo shop have it`;

/** What the command line asks for. Without a proxy in front, `publicUrl` is the server's own origin. */
interface Options {
  readonly port: number;
  readonly folder: string;
  readonly publicUrl: string;
}

function options(): Options {
  const { values } = readArguments(USAGE, () =>
    parseArgs({
      options: {
        port: { type: 'string', default: '8787' },
        'persist-to': { type: 'string', default: join(root, '.wrangler/state') },
        'public-url': { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    }),
  );
  const port = portNumber(values.port);
  const publicUrl = values['public-url'];
  // npm runs scripts in the project root; paths are relative to the caller's directory.
  return {
    port,
    folder: resolve(process.env.INIT_CWD ?? '.', values['persist-to']),
    publicUrl: publicUrl === undefined ? `http://127.0.0.1:${port}` : webUrl('--public-url', publicUrl),
  };
}

/** Triggers the cron at the start of every minute. */
function everyMinute(server: Server): void {
  setTimeout(
    async () => {
      everyMinute(server);
      await server.tick().catch((error) => console.error(`The cron failed: ${error.message}`));
    },
    60_000 - (Date.now() % 60_000),
  ).unref();
}

function welcome(base: string, token: string, folder: string): void {
  const curl = (path: string) => `  curl -H 'Authorization: Bearer ${token}' '${base}${path}'`;
  console.log(`
Storefront Edge is running.

  Base URL        ${base}
  Demo token      ${token}
  Demo shop       ${base}/demo
  Super-admin     ${base}/admin
  Developers      ${base}/developer
  API reference   ${base}/docs/
  Platform token  SUPER_ADMIN_TOKEN in .dev.vars

Try it:

${curl('/v1/products?limit=3&include=variants')}
${curl('/v1/search?q=cofee')}
${curl('/v1/marketplace/products?limit=3')}

Data is stored in ${folder}. Press Ctrl-C to stop.
`);
}

async function main(): Promise<void> {
  const { port, folder, publicUrl } = options();
  if (!(await portIsFree(port))) {
    throw new Error(
      `Port ${port} is in use. Stop the process that listens there, or choose another port: npm run dev -- --port ${port + 1}`,
    );
  }
  claim(folder);
  if (makeSecrets(secrets, join(root, '.dev.vars.example')))
    console.log('Created .dev.vars with new secrets.');
  console.log('Applying database migrations …');
  await migrate(folder);
  console.log('Starting …');
  let server = new Server(port, folder);
  let stopRequested = false;
  const stop = () => {
    stopRequested = true;
    server.stop();
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, stop);
  onShellGone(stop);
  try {
    await server.ready();
    const admin = secret(secrets, 'SUPER_ADMIN_TOKEN');
    const { token, storefront } = await openDemo(publicUrl, admin, folder);
    if (setSecret(secrets, 'DEMO_TOKEN', storefront)) {
      // wrangler dev reads secrets when it starts.
      await server.stop();
      if (stopRequested) return;
      server = new Server(port, folder);
      await server.ready();
      // Local queues are lost when wrangler stops, so unindexed products of the new shop need a rebuild.
      await rebuildSearch(server.base, admin);
    }
    server.speak();
    welcome(publicUrl, token, folder);
    everyMinute(server);
    await server.ended;
    throw new Error('wrangler dev exited unexpectedly.');
  } catch (error) {
    await server.stop();
    if (!stopRequested) throw error;
  }
}

await main().then(
  () => process.exit(0),
  (error) => {
    console.error(reasonOf(error));
    process.exit(1);
  },
);
