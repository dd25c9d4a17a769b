export { type AuditPage, listAudit } from './list-audit.ts';
export { type AuditEntry, type AuditedChange, audited } from './recording/audited-database.ts';
export { changedFields } from './recording/changed-fields.ts';
export { forwardAudit } from './recording/forward.ts';
export { mayBeCommitted, onlySends, recordCalls } from './recording/record-calls.ts';
export { asJson, type Json, nameOf, type Subject, slugOf, subjectOf } from './recording/subject.ts';
export { actorFormat } from './schemas.ts';
export { forgetAudit } from './store.ts';
export type { AuditChange } from './tables.ts';
