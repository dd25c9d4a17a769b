import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const root = join(import.meta.dirname, '..');
// Wrangler's library tells of every .dev.vars that it reads, and `run` then leaves it out.
process.env.WRANGLER_LOG ??= 'warn';

/** Bundles an entry the way a deployment does, into dist/`name`; answers the bundle's path. */
export async function bundle(entry: string, name: string): Promise<string> {
  const folder = join(root, 'dist', name);
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const args = [wrangler, 'deploy', entry, '--dry-run', '--minify', '--outdir', folder];
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
  });
  return join(folder, entry.replace(/^.*\//, '').replace(/\.ts$/, '.js'));
}

/** A bundle that runs in a workerd process of its own. */
export interface Running {
  readonly miniflare: Miniflare;
  /** Where it listens on this machine. */
  readonly url: URL;
  stop(): Promise<void>;
}

/**
 * Runs a bundle in Miniflare with the bindings of wrangler.toml, without wrangler's proxy before it.
 * `vars` are its only variables and secrets; `folder` keeps its data, else it is gone with it.
 */
export async function run(path: string, vars: Record<string, string>, folder?: string): Promise<Running> {
  mkdirSync(join(root, 'dist/assets'), { recursive: true });
  const { workerOptions } = unstable_getMiniflareWorkerOptions(join(root, 'wrangler.toml'));
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      logRequests: false,
      telemetry: { enabled: false },
      ...(folder ? { resourcePersistencePath: join(folder, 'v3') } : {}),
      workers: [
        {
          ...workerOptions,
          name: 'storefront-edge',
          modules: [{ type: 'ESModule', path: 'index.js', contents: readFileSync(path, 'utf8') }],
          bindings: vars,
        },
      ],
    }),
  );
  const url = await miniflare.ready;
  return { miniflare, url, stop: () => miniflare.dispose() };
}
