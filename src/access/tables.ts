import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../kernel/core/scopes.ts';

/** What an application is for: its scopes begin with what that needs. */
export const KINDS = ['storefront', 'mobile', 'integration'] as const;
export type Kind = (typeof KINDS)[number];

/** A token that is `passive` is refused. */
export const APPLICATION_STATUSES = ['active', 'passive'] as const;

/** At most this many tokens that were rotated out may still work. */
export const MAX_EARLIER_TOKENS = 10;

/** A token that was rotated out: the SHA-256 of its secret part, and when it stops working (epoch ms). */
export interface EarlierToken {
  readonly hash: string;
  readonly until: number;
}

/** An application registration: what its token may do, and how often. */
export const applications = sqliteTable(
  'applications',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    name: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    status: text().$type<(typeof APPLICATION_STATUSES)[number]>().notNull(),
    scopes: text({ mode: 'json' }).$type<Scope[]>().notNull(),
    /** Whether it runs on a server that speaks for many shoppers: its `X-Buyer-IP` is believed. */
    serverSide: integer({ mode: 'boolean' }).notNull().default(false),
    allowedOrigins: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** Lower than the plan's, or null for the plan's. */
    rateLimitPerMinute: integer(),
    expiresAt: integer(),
    lastUsedAt: integer(),
    /** SHA-256 of the token's secret part. */
    tokenHash: text().notNull(),
    /** Earlier tokens, at most {@link MAX_EARLIER_TOKENS} that still work. */
    earlierTokens: text({ mode: 'json' }).$type<EarlierToken[]>().notNull().default([]),
    createdAt: integer().notNull(),
  },
  (t) => [index('applications_tenant').on(t.tenantId, t.id)],
);

/** An application as it is on disk. */
export type ApplicationRow = typeof applications.$inferSelect;
