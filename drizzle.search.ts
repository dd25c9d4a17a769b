import { defineConfig } from 'drizzle-kit';

export default defineConfig({
  dialect: 'sqlite',
  schema: './src/search/tables.ts',
  out: './migrations/search',
});
