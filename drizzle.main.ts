import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  // Not by a pattern: one that leaves a folder out is not understood.
  schema: readdirSync('./src')
    .filter((name) => name !== 'search')
    .map((name) => `./src/${name}/tables.ts`)
    .filter((path) => existsSync(path)),
  out: './migrations/main',
});
