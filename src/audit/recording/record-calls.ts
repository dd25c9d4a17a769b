import { database, directory } from '../../kernel/data/database.ts';
import type { Call, Reply } from '../../kernel/http/context.ts';
import type { Endpoint } from '../../kernel/http/endpoint.ts';
import { statusOf } from '../../kernel/http/problem.ts';
import { operationIdOf } from '../../kernel/openapi/operation-id.ts';
import { type AuditEntry, audited } from './audited-database.ts';
import { changedFields } from './changed-fields.ts';
import { asJson, type Json, nameOf, type Subject, slugOf, subjectOf } from './subject.ts';

/**
 * What calls with a token are recorded for: how a shop works, and who and what reaches it. Catalogue, orders and
 * customers change too often to be told apart here; their events and timelines say what happened.
 */
const RECORDED_KINDS: readonly string[] = [
  'settings',
  'theme',
  'webhooks',
  'feeds',
  'applications',
  'tenants',
];

/** Actions that change nothing: they only send again. */
const SENDS = /\/(?:ping|replay)$/;

/** Returns whether an endpoint only sends again, so that no write of its own can carry an entry. */
export const onlySends = ({ spec }: Endpoint): boolean => SENDS.test(spec.path);

const isRecorded = (endpoint: Endpoint): boolean =>
  endpoint.spec.method !== 'get' &&
  !onlySends(endpoint) &&
  RECORDED_KINDS.includes(subjectOf(endpoint, endpoint.spec.path).kind);

/**
 * Returns the endpoints, of which those that change one of {@link RECORDED_KINDS} write an entry of the audit log
 * in the batch of their change. For calls with tokens: the panels record theirs with the person who made them.
 */
export const recordCalls = (endpoints: readonly Endpoint[]): readonly Endpoint[] =>
  endpoints.map((endpoint) =>
    isRecorded(endpoint)
      ? { ...endpoint, handler: (call) => record(endpoint, readerOf(endpoints, endpoint), call) }
      : endpoint,
  );

/** Returns the endpoint that reads what another one changes, at the same path; `undefined` without one. */
const readerOf = (endpoints: readonly Endpoint[], { spec: { path } }: Endpoint): Endpoint | undefined =>
  endpoints.find(({ spec }) => spec.method === 'get' && spec.path === path && !spec.query);

/**
 * Returns whether a failed call may have been committed all the same: 503 can mean that the change isn't visible
 * everywhere yet, or that the rest of it follows. A failed call that creates something (201) has created nothing.
 */
export const mayBeCommitted = ({ spec }: Endpoint, status: number): boolean =>
  status === 503 && spec.status !== 201;

/** Returns the status of a reply; 200 stands for every success. */
function statusAfter(reply: Reply<unknown>): number {
  if (reply instanceof Response) return reply.status;
  return reply.ok ? 200 : statusOf(reply.failure.code);
}

async function record(endpoint: Endpoint, reader: Endpoint | undefined, call: Call): Promise<Reply<unknown>> {
  const { pathname } = new URL(call.c.req.url);
  const subject = subjectOf(endpoint, pathname, asJson(call.params));
  const before = reader && subject.path === pathname ? await readBefore(reader, call) : null;
  const change = audited(call.env, entryOf({ endpoint, call, subject, before }));
  const reply = await endpoint.handler(withBindings(call, change.env));
  const status = statusAfter(reply);
  if (status >= 400 && !mayBeCommitted(endpoint, status)) await change.discard();
  else if (subject.id === null && endpoint.spec.status === 201) {
    const made = answerOf(reply);
    await change.nameSubject(String(made?.id ?? made?.slug ?? ''), nameOf(subject.kind, made));
  }
  return reply;
}

/** Returns what the change is made to. The header fields of that read are not those of the response. */
async function readBefore(reader: Endpoint, call: Call): Promise<Json | null> {
  const headers = call.c.get('headers');
  const before = answerOf(await reader.handler(call));
  call.c.set('headers', headers);
  return before;
}

const answerOf = (reply: Reply<unknown>): Json | null => ('value' in reply ? asJson(reply.value) : null);

interface Recorded {
  readonly endpoint: Endpoint;
  readonly call: Call;
  readonly subject: Subject;
  /** The subject before the change; null for one that is created or has no endpoint to read it. */
  readonly before: Json | null;
}

function entryOf({ endpoint, call, subject, before }: Recorded): AuditEntry {
  const { kind, id } = subject;
  const body = asJson(call.body) ?? {};
  const ofPlatform = endpoint.spec.access === 'platform';
  const slug = String(asJson(call.params)?.slug ?? '/');
  return {
    ...(ofPlatform
      ? { actorKind: 'platform', actorId: null, actorName: 'Platform API' }
      : { actorKind: 'application', actorId: call.caller.applicationId, actorName: '' }),
    tenant: ofPlatform ? slugOf(slug, subject, body) : call.tenantId,
    action: operationIdOf(endpoint.spec),
    subject: { kind, id, name: nameOf(kind, before) },
    changes: changedFields(kind, before, body),
    requestId: call.c.get('requestId'),
  };
}

/** Returns the call with other bindings, and the databases of these. */
const withBindings = (call: Call, env: Env): Call =>
  Object.create(call, {
    env: { value: env },
    db: { get: () => (call.c.get('caller') ? database(env, call.tenantId) : directory(env)) },
  });
