/** Bundles the package to dist/, with its declarations. */
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const root = join(import.meta.dirname, '..');

const dist = join(root, 'dist');
rmSync(dist, { recursive: true, force: true });
await build({
  entryPoints: [join(root, 'src/index.ts')],
  outfile: join(dist, 'index.js'),
  bundle: true,
  minify: true,
  // Node prints the line that throws above an error that nobody catches.
  lineLimit: 200,
  format: 'esm',
  target: 'es2020',
});

// TypeScript 5 writes declarations that its users can read.
execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', root], {
  stdio: 'inherit',
});
for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
  if (!file.endsWith('.d.ts')) continue;
  const text = readFileSync(join(dist, file), 'utf8');
  writeFileSync(join(dist, file), text.replaceAll(/(from '\.[^']*|import\("\.[^"]*)\.ts(?=['"])/g, '$1.js'));
}
