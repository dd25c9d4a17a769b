import {
  type AuditChange,
  type AuditEntry,
  type AuditedChange,
  asJson,
  audited,
  changedFields,
  type Json,
  mayBeCommitted,
  nameOf,
  type Subject,
} from '../../audit/index.ts';
import { type Endpoint, endpointAt } from '../../kernel/http/endpoint.ts';
import { operationIdOf } from '../../kernel/openapi/operation-id.ts';
import type { PanelUserSession } from '../sessions/sessions.ts';
import type { PanelUser } from '../sessions/tables.ts';

/** Who makes the changes of a page's request, as the audit log names them. */
export type Changer = Pick<AuditEntry, 'actorKind' | 'actorId' | 'actorName'>;

/** Returns a person of a tenant as the audit log names them. */
export const personWho = ({ id, name }: Pick<PanelUser, 'id' | 'name'>): Changer => ({
  actorKind: 'panel',
  actorId: id,
  actorName: name,
});

/** Returns who makes changes in a session; `null` for a visitor. */
export function changerOf(session: PanelUserSession | null): Changer | null {
  if (!session || session.audience === 'anyone') return null;
  const user = session.developer?.user;
  return user ? personWho(user) : { actorKind: 'platform', actorId: null, actorName: 'Super-admin' };
}

/** A change that a page makes without the API. */
export interface PanelChange {
  readonly action: string;
  readonly subject: AuditEntry['subject'];
  readonly changes?: readonly AuditChange[];
  /** The tenant's slug, outside the developer panel. */
  readonly tenant?: string;
  /** Who makes it without a session: the holder of a one-time link. */
  readonly by?: Changer;
}

/** What a tenant has one of, which is changed and never created. */
const SINGLETONS = ['settings', 'theme'];

/**
 * Returns a subject as it is before a change, by calls of the API through `get`; `null` for one that is to be
 * created or can't be read.
 */
export async function readBefore(
  endpoints: readonly Endpoint[],
  { path, subject: { kind, id, path: own } }: { path: string; subject: Subject },
  get: (path: string) => Promise<Response>,
): Promise<Json | null> {
  if (id === null && !SINGLETONS.includes(kind)) return null;
  const read = async (from: string): Promise<Json | null> => {
    const response = endpointAt(endpoints, 'GET', from) && (await get(from));
    return response?.ok ? asJson(await response.json()) : null;
  };
  const item = await read(own);
  if (item || id === null) return item;
  // What has no endpoint of its own, such as a webhook, is in its list.
  const list = await read(path.slice(0, path.indexOf(`/${kind}/`) + kind.length + 1));
  return (
    [list?.data]
      .flat()
      .map(asJson)
      .find((one) => String(one?.id) === id) ?? null
  );
}

/** A change that a page makes through an endpoint. */
interface ApiChange {
  readonly env: Env;
  readonly changer: Changer;
  readonly endpoint: Endpoint;
  readonly subject: Subject;
  /** The subject before the change, as the API shows it; null for one that is created. */
  readonly before: Json | null;
  readonly path: string;
  readonly body: Json;
  readonly tenant: number | string | null;
  readonly requestId: string;
}

/** Returns the bindings with which a call of the API is recorded. */
export function auditedCall(change: ApiChange): AuditedChange {
  const { env, changer, endpoint, subject, before, tenant, requestId } = change;
  const { kind, id } = subject;
  // The subject's own fields were read; those of what an action sends have no earlier value.
  const was = change.path === subject.path ? before : null;
  return audited(env, {
    ...changer,
    action: operationIdOf(endpoint.spec),
    tenant,
    requestId,
    subject: { kind, id, name: nameOf(kind, before) },
    changes: changedFields(kind, was, change.body),
  });
}

/** A call that was made; `isRepeated` if an earlier one with its key was committed, which is recorded. */
interface CalledChange extends Pick<ApiChange, 'endpoint' | 'subject'> {
  readonly isRepeated: boolean;
}

/** Completes the record of a call: names what it created, or discards the entry of a call that changed nothing. */
export async function completeRecord(
  change: AuditedChange,
  { endpoint, subject: { kind, id }, isRepeated }: CalledChange,
  response: Response,
): Promise<void> {
  if (!response.ok) return mayBeCommitted(endpoint, response.status) ? undefined : change.discard();
  // A stored response is repeated without a change.
  const isReplayed = response.headers.has('idempotent-replayed');
  if (!isRepeated && !isReplayed) await change.recordApart();
  if (id !== null || response.status !== 201) return;
  const made = asJson(await response.clone().json());
  if (made) await change.nameSubject(String(made.id ?? made.slug ?? ''), nameOf(kind, made));
}
