import { z } from '@hono/zod-openapi';
import { listPages, PageMeta } from '../kernel/core/pagination.ts';
import { AUDIT_ACTORS } from './tables.ts';

/** The pages of the audit log: by `page`, or by a cursor that holds the id of an entry. */
export const auditPages = listPages('audit', z.int().min(1));

/** Who made changes: `platform`, `panel:7` for a person, `application:2` for an application. */
export const actorFormat = /^(?:platform|(?:panel|application):\d{1,15})$/;

const name = z.string().regex(/^[A-Za-z]{1,60}$/, 'must be a name of letters');

/** A page of the audit log, with optional filters. */
export const AuditQuery = z.object({
  ...auditPages.query,
  actor: z
    .string()
    .regex(actorFormat, 'must be platform, panel:{id} or application:{id}')
    .optional()
    .openapi({
      description: '`platform`, `panel:7` for a person or `application:2` for an application.',
      example: 'application:2',
    }),
  action: name.optional().openapi({
    description: 'An operation id of this API, or what a panel calls a change without an endpoint.',
    example: 'updateSettings',
  }),
  subject: name.optional().openapi({ description: 'The kind of the changed resource.', example: 'webhooks' }),
  from: z.iso.datetime({ offset: true }).optional().openapi({ description: 'Changes from this instant on.' }),
  to: z.iso.datetime({ offset: true }).optional().openapi({ description: 'Changes before this instant.' }),
});
export type AuditQuery = z.output<typeof AuditQuery>;

/** A change and who made it. */
export const AuditRecord = z
  .object({
    id: z.int(),
    at: z.iso.datetime(),
    actor: z.object({
      kind: z.enum(AUDIT_ACTORS).openapi({
        description:
          "`panel`: a person in the developer panel. `application`: a call with its token. `platform`: the platform's operator.",
      }),
      id: z.int().nullable(),
      name: z.string().openapi({ description: 'The name at that time.' }),
    }),
    action: z.string().openapi({ example: 'updateSettings' }),
    subject: z.object({
      kind: z.string().openapi({ example: 'settings' }),
      id: z.string().nullable(),
      name: z.string().nullable(),
    }),
    changes: z
      .array(z.object({ field: z.string(), old: z.string().optional(), new: z.string().optional() }))
      .openapi({
        description:
          'The fields that changed, at most 40. Values that may be secret, personal or longer than 120 characters are left out.',
      }),
    request_id: z.string().openapi({ description: 'The `X-Request-Id` of the call.' }),
  })
  .openapi('AuditRecord');

/** A page of changes, newest first. */
export const AuditRecordList = z
  .object({ data: z.array(AuditRecord), meta: PageMeta })
  .openapi('AuditRecordList');
