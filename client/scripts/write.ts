/**
 * Generates src/generated from dist/openapi.json of the project, which `npm run contract` writes.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { generate } from './generate.ts';

const root = join(import.meta.dirname, '..');
const document = JSON.parse(readFileSync(join(root, '../dist/openapi.json'), 'utf8'));
for (const [name, text] of Object.entries(await generate(document))) {
  writeFileSync(join(root, 'src/generated', name), text);
}
