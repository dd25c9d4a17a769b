export { type AuditEntry, type AuditedChange, audited } from './audited-database.ts';
export { changedFields } from './changed-fields.ts';
export { forwardAudit } from './forward.ts';
export { type AuditPage, listAudit } from './list-audit.ts';
export { RECORDED_KINDS, recordCalls } from './record-calls.ts';
export { actorFormat } from './schemas.ts';
export { type AuditFilter, forgetAudit } from './store.ts';
export { asJson, type Json, nameOf, type Subject, slugOf, subjectOf } from './subject.ts';
export { AUDIT_ACTORS, type AuditChange } from './tables.ts';
