import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { PublicKey } from '../signatures/jwk.ts';

/** The keys that a tenant signs with, from their publication until their end. */
export const ucpKeys = sqliteTable(
  'ucp_keys',
  {
    tenantId: integer().notNull(),
    /** The key's id in the profile and in signatures; random. */
    kid: text().notNull(),
    publicKey: text({ mode: 'json' }).$type<PublicKey>().notNull(),
    /** The private key (JWK), sealed. */
    privateKey: text().notNull(),
    createdAt: integer().notNull(),
    /** From when (ms) it signs; until then it is only published. */
    signsFrom: integer().notNull(),
    /** Until when (ms) it is published; null for the newest key. */
    endsAt: integer(),
  },
  (t) => [
    primaryKey({ columns: [t.tenantId, t.kid] }),
    index('ucp_keys_ended').on(t.endsAt).where(sql`ends_at IS NOT NULL`),
  ],
);

/** A row of {@link ucpKeys}. */
export type KeyRow = typeof ucpKeys.$inferSelect;
