import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const root = join(import.meta.dirname, '..');
// Wrangler's library tells of every .dev.vars that it reads, and `run` then leaves it out.
process.env.WRANGLER_LOG ??= 'warn';

/** A Worker of this project: its entry and the wrangler configuration with its bindings, from the project's folder. */
export interface Source {
  readonly entry: string;
  readonly config: string;
}

/** The service. */
export const SERVICE: Source = { entry: 'src/index.ts', config: 'wrangler.toml' };

/** Bundles a Worker the way a deployment does, into dist/`name`; answers the bundle's path. */
export async function bundle({ entry, config }: Source, name: string): Promise<string> {
  const folder = join(root, 'dist', name);
  const wrangler = join(root, 'node_modules/wrangler/bin/wrangler.js');
  const args = [wrangler, 'deploy', entry, '--config', config, '--dry-run', '--minify', '--outdir', folder];
  await promisify(execFile)(process.execPath, args, {
    cwd: root,
    env: { ...process.env, WRANGLER_SEND_METRICS: 'false', WRANGLER_HIDE_BANNER: 'true' },
  });
  return join(folder, basename(entry, '.ts')).concat('.js');
}

/** A bundle that runs in a workerd process of its own. */
export interface Running {
  readonly miniflare: Miniflare;
  /** Where it listens on this machine. */
  readonly url: URL;
  stop(): Promise<void>;
}

/**
 * Bundles a Worker into dist/`name` and runs it in Miniflare with its bindings, without wrangler's proxy
 * before it. `vars` are its only variables and secrets; `folder` keeps its data, else that goes with it.
 * Of what it logs, warnings and errors are shown.
 * ASSETS is left out: Miniflare imitates the assets router by a Worker before the Worker, which takes more
 * time than what is measured here.
 */
export async function run(
  source: Source,
  name: string,
  vars: Record<string, string>,
  folder?: string,
): Promise<Running> {
  const contents = readFileSync(await bundle(source, name), 'utf8');
  const { assets: _, ...bindings } = unstable_getMiniflareWorkerOptions(
    join(root, source.config),
  ).workerOptions;
  const miniflare = new Miniflare(
    convertV4MiniflareOptions({
      host: '127.0.0.1',
      port: 0,
      cf: false,
      logRequests: false,
      telemetry: { enabled: false },
      handleStructuredLogs: ({ level, message }) => {
        if (level === 'warn' || level === 'error') console.error(message);
      },
      ...(folder ? { resourcePersistencePath: join(folder, 'v3') } : {}),
      workers: [
        {
          ...bindings,
          name,
          modules: [{ type: 'ESModule', path: 'index.js', contents }],
          bindings: vars,
        },
      ],
    }),
  );
  const url = await miniflare.ready;
  return { miniflare, url, stop: () => miniflare.dispose() };
}
