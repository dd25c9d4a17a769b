import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { ROLES } from './roles.ts';

/** Developers, who sign in to their tenant's panel. */
export const panelUsers = sqliteTable(
  'panel_users',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    /** Lower case. A person who works for two tenants has two accounts. */
    email: text().notNull(),
    name: text().notNull(),
    role: text({ enum: ROLES }).notNull().default('owner'),
    /** A PHC string (kernel/crypto/password.ts); null until the invitation is accepted. */
    passwordHash: text(),
    /** SHA-256 of the one-time link's token, and its expiry (ms); null once used. */
    inviteHash: text().unique(),
    inviteUntil: integer(),
    invitedAt: integer().notNull(),
    acceptedAt: integer(),
  },
  (t) => [uniqueIndex('panel_users_email').on(t.tenantId, t.email), index('panel_users_sign_in').on(t.email)],
);

/** A stored developer's account. */
export type PanelUser = typeof panelUsers.$inferSelect;

/** Panel sessions. A session ends at `until`, by signing out, or when the account is removed. */
export const panelSessions = sqliteTable(
  'panel_sessions',
  {
    /** SHA-256 of the id in the cookie. */
    hash: text().primaryKey(),
    /** Null for the super-admin. */
    userId: integer(),
    until: integer().notNull(),
    startedAt: integer().notNull().default(0),
    /** When it was last used (ms), recorded at most once an hour. */
    usedAt: integer().notNull().default(0),
    /** The browser and system in words, such as "Firefox on Windows". */
    device: text().notNull().default('Unknown browser'),
  },
  (t) => [index('panel_sessions_user').on(t.userId), index('panel_sessions_age').on(t.until)],
);

/** A stored panel session. */
export type PanelSession = typeof panelSessions.$inferSelect;

/** Sign-in throttles: the theoretical arrival time (GCRA, ms) of each source, a keyed digest. */
export const panelGuesses = sqliteTable(
  'panel_guesses',
  { source: text().primaryKey(), until: integer().notNull() },
  (t) => [index('panel_guesses_age').on(t.until)],
);
