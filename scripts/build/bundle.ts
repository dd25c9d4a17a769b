import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';

const root = join(import.meta.dirname, '../..');
// Wrangler's library logs every .dev.vars file that it reads, although `run` does not use it.
process.env.WRANGLER_LOG ??= 'warn';

/** A Worker of this project: paths of its entry and its wrangler configuration, relative to the project root. */
export interface Source {
  readonly entry: string;
  readonly config: string;
  /** Its own name when it runs. Workers of one name that run in one folder share the data of their Durable Objects. */
  readonly worker: string;
}

/** The service. */
export const SERVICE: Source = { entry: 'src/index.ts', config: 'wrangler.toml', worker: 'worker' };

/** The largest bundle of the service, gzipped: what it had when this was last set, and 1 %. */
export const MAX_BUNDLE_KIB = 656;

/** Bundles a Worker as a deployment does, into dist/`name`. Returns the bundle's path. */
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

/** A bundle running in its own workerd process. */
export interface Running {
  readonly miniflare: Miniflare;
  /** Its local base URL. */
  readonly url: URL;
  /** The same on a socket of the Worker's own, without Miniflare's entry Worker in between: for measurements. */
  readonly direct: URL;
  stop(): Promise<void>;
}

/** What a bundle runs with. */
export interface Setting {
  readonly folder?: string | undefined;
  readonly inspected?: boolean;
  readonly databases?: Readonly<Record<string, string>>;
}

/**
 * Bundles a Worker into dist/`name` and runs it in Miniflare, without wrangler's proxy. `vars` are its only
 * variables and secrets. Data is stored in `folder`, or discarded without one; an `inspected` Worker has Miniflare's
 * inspector beside it. `databases` maps bindings to ids of D1 databases, which are added to those of wrangler.toml or
 * replace them. Warnings and errors are printed.
 * The ASSETS binding is omitted: Miniflare emulates it with a Worker in front, which would distort measurements.
 */
export async function run(
  source: Source,
  name: string,
  vars: Record<string, string>,
  { folder, inspected = false, databases = {} }: Setting = {},
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
      ...(inspected ? { inspectorPort: 0 } : {}),
      workers: [
        {
          ...bindings,
          d1Databases: {
            // Wrangler names them by their bindings; Miniflare would also take a list.
            ...(bindings.d1Databases as Record<string, { readonly id: string }>),
            ...Object.fromEntries(Object.entries(databases).map(([binding, id]) => [binding, { id }])),
          },
          name: source.worker,
          unsafeDirectSockets: [{ host: '127.0.0.1', port: 0 }],
          modules: [{ type: 'ESModule', path: 'index.js', contents }],
          bindings: vars,
        },
      ],
    }),
  );
  const url = await miniflare.ready;
  const direct = await miniflare.unsafeGetDirectURL(source.worker);
  return { miniflare, url, direct, stop: () => miniflare.dispose() };
}
