import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';

/** A developer of a tenant, who signs in to its panel. */
export const panelUsers = sqliteTable(
  'panel_users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** Lower case. A person who works for two tenants has two accounts. */
    email: text().notNull(),
    name: text().notNull(),
    /** A PHC string (kernel/password.ts); null until the invitation is accepted. */
    passwordHash: text(),
    /** SHA-256 of the one-time link's token, and when it ends (ms); null once it was used. */
    inviteHash: text().unique(),
    inviteUntil: integer(),
    invitedAt: integer().notNull(),
    acceptedAt: integer(),
  },
  (t) => [uniqueIndex('panel_users_email').on(t.tenantId, t.email), index('panel_users_sign_in').on(t.email)],
);

/** A developer's account as it is on disk. */
export type PanelUser = typeof panelUsers.$inferSelect;

/** A session of a panel. It ends by time, by signing out, or with the account. */
export const panelSessions = sqliteTable(
  'panel_sessions',
  {
    /** SHA-256 of the id in the cookie. */
    hash: text().primaryKey(),
    /** Null for the super-admin. */
    userId: integer(),
    until: integer().notNull(),
  },
  (t) => [index('panel_sessions_user').on(t.userId), index('panel_sessions_age').on(t.until)],
);

/** Guesses at passwords: when those of one source or account will be worked off (ms). */
export const panelGuesses = sqliteTable(
  'panel_guesses',
  { source: text().primaryKey(), until: integer().notNull() },
  (t) => [index('panel_guesses_age').on(t.until)],
);
