import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { Scope } from '../kernel/core/scopes.ts';

/** Kinds of applications. The kind determines the default scopes. An `agent` is bound to one platform's profile. */
export const KINDS = ['storefront', 'mobile', 'integration', 'agent'] as const;
export type Kind = (typeof KINDS)[number];

/** The tokens of a `passive` application are refused. */
export const APPLICATION_STATUSES = ['active', 'passive'] as const;

/** The most rotated-out tokens of an application that may work at a time. */
export const MAX_EARLIER_TOKENS = 10;

/** A rotated-out token: the SHA-256 of its secret part, and when it expires (ms since the epoch). */
interface EarlierToken {
  readonly hash: string;
  readonly until: number;
}

/** Applications: the scopes and the rate limit of their tokens. */
export const applications = sqliteTable(
  'applications',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    tenantId: integer().notNull(),
    name: text().notNull(),
    kind: text().$type<Kind>().notNull(),
    status: text().$type<(typeof APPLICATION_STATUSES)[number]>().notNull(),
    /** The URI of the profile (UCP) that an `agent` calls for; null for other kinds. */
    agentProfile: text(),
    scopes: text({ mode: 'json' }).$type<Scope[]>().notNull(),
    /** Whether it runs on a server that calls for many shoppers. Its `X-Buyer-IP` is trusted. */
    serverSide: integer({ mode: 'boolean' }).notNull().default(false),
    allowedOrigins: text({ mode: 'json' }).$type<string[]>().notNull(),
    /** Capped at the plan's limit; null for the plan's limit. */
    rateLimitPerMinute: integer(),
    expiresAt: integer(),
    lastUsedAt: integer(),
    /** SHA-256 of the token's secret part. */
    tokenHash: text().notNull(),
    /** Rotated-out tokens; at most {@link MAX_EARLIER_TOKENS} still work. */
    earlierTokens: text({ mode: 'json' }).$type<EarlierToken[]>().notNull().default([]),
    createdAt: integer().notNull(),
  },
  (t) => [index('applications_tenant').on(t.tenantId, t.id)],
);

/** A row of {@link applications}. */
export type ApplicationRow = typeof applications.$inferSelect;
