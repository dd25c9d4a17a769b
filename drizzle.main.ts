import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  casing: 'snake_case',
  schema: ['./src/*/tables.ts', '!./src/search/tables.ts'],
  out: './migrations/main',
});
