import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ThemeSet } from './schemas.ts';

/** The theme options that a tenant has set; unset options have defaults. */
export const themes = sqliteTable('themes', {
  tenantId: integer().primaryKey(),
  options: text({ mode: 'json' }).$type<ThemeSet>().notNull(),
  updatedAt: integer().notNull(),
});
