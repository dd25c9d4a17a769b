import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { fillFiles } from './filling.ts';

const root = join(import.meta.dirname, '../..');
const OUT = join(root, 'dist/filling');

/** Bundles `filling.ts` with the service's statements for Node. Returns the bundle's path. */
async function bundleFilling(): Promise<string> {
  const { outputFiles } = await build({
    entryPoints: [join(import.meta.dirname, 'filling.ts')],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    plugins: [
      {
        name: 'no-workers',
        // Statements need no Durable Object, but the modules that they are in declare some.
        setup({ onResolve, onLoad }) {
          onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: 'workers' }));
          onLoad({ filter: /./, namespace: 'workers' }, () => ({
            contents:
              'export class DurableObject {}; export class WorkerEntrypoint {}; export const env = {};',
          }));
        },
      },
    ],
  });
  mkdirSync(OUT, { recursive: true });
  const file = join(OUT, 'filling.mjs');
  writeFileSync(file, outputFiles[0]?.contents ?? '');
  return file;
}

/** What fills the databases of a world. */
export interface Filler {
  /** The module that exports `fillFiles`, for threads. */
  readonly file: string;
  readonly fill: typeof fillFiles;
  /** Differs when other code or another schema would write the rows. */
  readonly fingerprint: string;
}

/** Returns the filler of this working tree. */
export async function filler(): Promise<Filler> {
  const file = await bundleFilling();
  const { fillFiles: fill }: { fillFiles: Filler['fill'] } = await import(pathToFileURL(file).href);
  const hash = createHash('sha256');
  for (const folder of ['migrations/main', 'migrations/search', 'bench/world']) {
    for (const name of readdirSync(join(root, folder)).sort()) {
      if (/\.(ts|sql)$/.test(name)) hash.update(readFileSync(join(root, folder, name)));
    }
  }
  return { file, fill, fingerprint: hash.update(readFileSync(file)).digest('hex').slice(0, 12) };
}
