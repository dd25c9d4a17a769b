export { type AuditEntry, type AuditedChange, audited } from './audited-database.ts';
export { changedFields } from './changed-fields.ts';
export { type AuditFilter, type AuditPage, forgetAudit, listAudit } from './store.ts';
export type { AuditChange } from './tables.ts';
