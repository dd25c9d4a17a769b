import type { Context } from 'hono';
import type { Result } from '../core/result.ts';
import type { Feature, Scope } from '../core/scopes.ts';
import type { CachedBody } from '../data/cached-body.ts';
import type { Statement } from '../data/database.ts';
import type { Upload } from './body.ts';
import type { HeaderFields } from './response.ts';

/** Who calls: an application of a tenant, as the lease says. Plain data, a second old at most. */
export interface Caller {
  readonly tenantId: number;
  readonly applicationId: number;
  /** Whether it runs on a server that speaks for many shoppers: its word on their addresses is believed. */
  readonly serverSide: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** What the tenant's plan includes. */
  readonly features: ReadonlySet<Feature>;
  /** How many accounts of customers a minute the tenant's plan allows to be made. */
  readonly registrationsPerMinute: number;
  /** The tenant's main currency (ISO 4217) and all that it sells in. */
  readonly currency: string;
  readonly currencies: readonly string[];
  /** The catalogue version that was current when the lease was made. */
  readonly catalogVersion: number;
}

/** The customer whose session came with the call. */
export interface CustomerSession {
  readonly customerId: number;
  /** SHA-256 of the session's token: which of the customer's sessions it is. */
  readonly hash: string;
}

/** Makes a write happen once for an Idempotency-Key, whatever dies in between. */
export interface IdempotencyScope {
  /** What an earlier run with the same key committed, or `null`: then do the write. */
  readonly ref: string | null;
  /**
   * Statements for the write's own batch: they note `ref` beside the key, and abort the batch when
   * another run with that key has committed. None without a key. Of a stream that the handler has read,
   * `digest` is the SHA-256 in hex: what tells its retry from another body.
   */
  mark(ref: string, digest?: string): Statement[];
}

/** The environment of the router: bindings, and what the guards found out. */
export interface App {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** What the answer's header will say, whoever makes it: see answer.ts. */
    headers: HeaderFields;
    caller: Caller;
    /** Set by the customer guard; `null` where the session is optional and none was sent. */
    customer: CustomerSession | null;
    /** The customer whom the answer names, where that is not the session's: erasing them forgets the answer. */
    concerns: number | null | undefined;
    /** Set while a cached read runs beside the limiter's call: who calls as of now, or the refusal. */
    admitted: Promise<Result<Caller>> | undefined;
    /** The bytes of a JSON body, after the body guard. */
    bodyBytes: Uint8Array | undefined;
    /** The body of an endpoint that takes a stream, after the body guard. */
    upload: Upload | undefined;
  };
}

/** One validated call of an endpoint. */
export interface Call<Params = unknown, Query = unknown, Body = unknown> {
  readonly c: Context<App>;
  readonly env: Env;
  readonly ctx: Pick<ExecutionContext, 'waitUntil'>;
  /** Who calls. Reading it on a route that needs no token is a bug and throws. */
  readonly caller: Caller;
  /** The customer whose session came with the call (endpoints that declare `customer`), else `null`. */
  readonly customer: CustomerSession | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body of an endpoint that declares a `stream`. Reading it on another is a bug and throws. */
  readonly upload: Upload;
  readonly once: IdempotencyScope;
}

/** What a write needs of a call besides the database: what tells the world of it, and may go on behind the answer. */
export type Runtime = Pick<Call, 'env' | 'ctx'>;

/** What reading through a cache needs of a call. */
export type CatalogReader = Pick<Call, 'env' | 'ctx' | 'caller'>;

/** The customer of a call whose endpoint declares that it needs one; else it is a bug and throws. */
export function customerOf({ c, customer }: Call): CustomerSession {
  if (!customer) throw new Error(`${c.req.path} asked for a customer without a customer guard`);
  return customer;
}

/** What an endpoint answers: its value, a body from the cache, a failure, or (for streams) a response. */
export type Reply<Value> = Result<Value> | { readonly ok: true; readonly rendered: CachedBody } | Response;
