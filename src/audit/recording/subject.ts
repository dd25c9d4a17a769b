import type { Endpoint } from '../../kernel/http/endpoint.ts';
import { firstOf } from '../../kernel/text/text.ts';

/** A subject of the API: its kind and id, and the path that reads it. */
export interface Subject {
  readonly kind: string;
  readonly id: string | null;
  readonly path: string;
}

/**
 * Returns what an endpoint's path is about: `/v1/orders/7/refunds` is about the order 7. With the path's parameters as
 * the call has them, the id is the resource's, however the path spelled it (`/v1/orders/07`).
 */
export function subjectOf({ spec }: Endpoint, path: string, params: Json | null = null): Subject {
  const [sent, declared] = [path.split('/').slice(1), spec.path.split('/').slice(1)];
  const first = kindAt(declared);
  const [, name] = /^\{(.*)\}$/.exec(declared[first + 1] ?? '') ?? [];
  const sentId = sent[first + 1] ?? '';
  return {
    // The declared one: a call may spell the same path otherwise (`/v1/%73ettings`).
    kind: declared[first] ?? '',
    id: name === undefined ? null : String(params?.[name] ?? decodeURIComponent(sentId)),
    path: name === undefined ? path : `/${sent.slice(0, first + 2).join('/')}`,
  };
}

/** Returns where a path names the subject's kind: after `/v1`, `/admin/v1` or `/admin/v1/tenants/{slug}`. */
function kindAt(parts: readonly string[]): number {
  if (parts[0] !== 'admin') return 1;
  return parts[2] === 'tenants' && parts.length > 4 ? 4 : 2;
}

/** An object of the API. */
export type Json = Readonly<Record<string, unknown>>;

/** Returns a value as an object of the API, `null` for anything else. */
export const asJson = (value: unknown): Json | null =>
  typeof value === 'object' && value !== null ? { ...value } : null;

/** Returns the name of a subject as the API shows it: of a webhook the host alone. A customer's is personal. */
export function nameOf(kind: string, value: Json | null): string | null {
  if (!value || kind === 'customers') return null;
  const host = typeof value.url === 'string' ? URL.parse(value.url)?.host : undefined;
  const name = [value.name, value.code, value.number, host, value.slug].find(Boolean);
  return name === undefined ? null : firstOf(String(name), 200);
}

/** Returns the slug of the tenant that a call of the platform API is about; `null` for none. */
export function slugOf(slug: string, { kind, id }: Subject, body: Json): string | null {
  if (slug !== '/') return slug;
  return kind === 'tenants' ? (id ?? String(body.slug ?? '')) : null;
}
