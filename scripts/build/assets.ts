/**
 * Writes static files to dist/assets: the API reference of /docs (our page plus files of the pinned
 * swagger-ui-dist), and the panels' stylesheet and script, each joined from its folder and minified, with the
 * icons. Writes only changed files, so that watchers of dist/assets are not triggered.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { buildSync } from 'esbuild';

const root = join(import.meta.dirname, '../..');
const page = join(import.meta.dirname, '../docs');
const panel = join(import.meta.dirname, '../panel');
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

/** The sizes of scale.css by name: `space-4` → `1rem`. */
const SCALE = new Map(
  [...readFileSync(join(panel, 'css/scale.css'), 'utf8').matchAll(/--([\w-]+):\s*([^;]+);/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

/**
 * Replaces each `var()` of a size by its value, which is shorter, without the zero before its point. Colours stay: they
 * depend on the scheme. esbuild leaves the spaces in custom properties.
 */
const withSizes = (css: string): string =>
  css
    .replace(/var\(--([\w-]+)\)/g, (use, name: string) => SCALE.get(name)?.replace(/^0\./, '.') ?? use)
    .replace(/(?<=--[\w-]+:) | (?=#[0-9a-f]{3,8}\))/g, '');

/** Returns a minified file joined from what `entry` imports. URLs of assets are left as they are. */
function bundled(entry: string): Uint8Array {
  const { outputFiles } = buildSync({
    entryPoints: [join(panel, entry)],
    bundle: true,
    minify: true,
    format: 'iife',
    charset: 'utf8',
    external: ['/panel-assets/*'],
    write: false,
  });
  const [file] = outputFiles;
  if (!file) throw new Error(`esbuild made nothing of ${entry}`);
  return new TextEncoder().encode(entry.endsWith('.css') ? withSizes(file.text) : file.text);
}

/** Copied under their own names. */
const COPIED = {
  docs: [
    join(page, 'index.html'),
    join(page, 'init.js'),
    join(swagger, 'swagger-ui.css'),
    join(swagger, 'swagger-ui-bundle.js'),
    join(swagger, 'swagger-ui-bundle.js.LICENSE.txt'),
    join(swagger, 'favicon-32x32.png'),
  ],
  'panel-assets': [join(panel, 'icon.svg'), join(panel, 'icons.svg')],
};

/** Joined and minified: what every page of the panels or the demo shop loads, and what single components add. */
const BUNDLED = [
  ...['css/panel.css', 'js/panel.js', 'js/demo.js'],
  ...['demo', 'demo-lists', 'demo-product', 'demo-account'].map((name) => `css/demo/${name}.css`),
  ...readdirSync(join(panel, 'parts'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:css|js)$/.test(file))
    .map((file) => `parts/${file}`),
];

function write(path: string, content: Uint8Array): void {
  const to = join(root, 'dist/assets', path);
  mkdirSync(dirname(to), { recursive: true });
  if (!existsSync(to) || !readFileSync(to).equals(content)) writeFileSync(to, content);
}

for (const [folder, files] of Object.entries(COPIED)) {
  for (const file of files) write(`${folder}/${basename(file)}`, readFileSync(file));
}
for (const entry of BUNDLED) write(`panel-assets/${basename(entry)}`, bundled(entry));
