import { globSync } from 'node:fs';
import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  // A negated pattern would be ignored: the tables of search belong to the other database.
  schema: globSync('./src/**/tables.ts').filter((file) => !file.startsWith('src/search/')),
  out: './migrations/main',
});
