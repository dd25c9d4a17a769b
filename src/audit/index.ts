export { type AuditPage, listAudit } from './list-audit.ts';
export { type AuditEntry, type AuditedChange, audited } from './recording/audited-database.ts';
export { changedFields } from './recording/changed-fields.ts';
export { forwardAudit } from './recording/forward.ts';
export { mayBeCommitted, RECORDED_KINDS, recordCalls } from './recording/record-calls.ts';
export { asJson, type Json, nameOf, type Subject, slugOf, subjectOf } from './recording/subject.ts';
export { actorFormat } from './schemas.ts';
export { type AuditFilter, forgetAudit } from './store.ts';
export { AUDIT_ACTORS, type AuditChange } from './tables.ts';
