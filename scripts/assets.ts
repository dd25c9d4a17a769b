/**
 * Copies static files to dist/assets: the API reference of /docs (our page plus files of the pinned
 * swagger-ui-dist), and the panels' stylesheet, script and icon. Writes only changed files, so that watchers of
 * dist/assets are not triggered.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
const page = join(import.meta.dirname, 'docs');
const swagger = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

const FILES = {
  docs: [
    join(page, 'index.html'),
    join(page, 'init.js'),
    join(swagger, 'swagger-ui.css'),
    join(swagger, 'swagger-ui-bundle.js'),
    join(swagger, 'swagger-ui-bundle.js.LICENSE.txt'),
    join(swagger, 'favicon-32x32.png'),
  ],
  'panel-assets': ['panel.css', 'panel.js', 'icon.svg'].map((file) =>
    join(import.meta.dirname, 'panel', file),
  ),
};

for (const [folder, files] of Object.entries(FILES)) {
  const target = join(root, 'dist/assets', folder);
  mkdirSync(target, { recursive: true });
  for (const from of files) {
    const to = join(target, basename(from));
    const content = readFileSync(from);
    if (!existsSync(to) || !readFileSync(to).equals(content)) writeFileSync(to, content);
  }
}
