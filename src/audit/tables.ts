import { index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Who makes a change: a person in the tenant's panel, an application with its token, or the platform's operator. */
export const AUDIT_ACTORS = ['panel', 'application', 'platform'] as const;

/** A field that changed. The values are absent where they may be secret, personal or long. */
export interface AuditChange {
  readonly field: string;
  readonly old?: string;
  readonly new?: string;
}

/**
 * What was changed, by whom. A row is written in the batch of its change. After it, only the id and the name of what was
 * created are added; the row of a change that failed is deleted.
 */
export const auditLog = sqliteTable(
  'audit_log',
  {
    id: integer().primaryKey({ autoIncrement: true }),
    /** 0 for a change that concerns no tenant. */
    tenantId: integer().notNull(),
    at: integer().notNull(),
    actorKind: text({ enum: AUDIT_ACTORS }).notNull(),
    /** The panel user or the application; null for the platform. */
    actorId: integer(),
    /** The name at that time: a user may be renamed or removed since. */
    actorName: text().notNull(),
    /** The operation id of the API, or the panel's own name for what has no endpoint. */
    action: text().notNull(),
    subjectKind: text().notNull(),
    subjectId: text(),
    subjectName: text(),
    changes: text({ mode: 'json' }).$type<readonly AuditChange[]>().notNull(),
    requestId: text().notNull(),
  },
  (t) => [index('audit_log_tenant').on(t.tenantId, t.id), index('audit_log_age').on(t.at)],
);

/** A stored entry. */
export type AuditRow = typeof auditLog.$inferSelect;
