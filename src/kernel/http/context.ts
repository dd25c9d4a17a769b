import type { Context } from 'hono';
import type { CachedBody } from '../cache/cached-body.ts';
import type { Failure } from '../core/errors.ts';
import type { Result } from '../core/result.ts';
import type { Feature, Scope } from '../core/scopes.ts';
import type { Bookmark, Statement } from '../data/database.ts';
import type { ClaimedKey, DataSubject, NOT_ERASABLE } from '../data/idempotency-keys.ts';
import type { TenantContext } from '../data/tenant-context.ts';
import type { Upload } from '../input/body.ts';

/** Response header fields. Each name has one spelling everywhere: `ETag`, never also `etag`. */
export type HeaderFields = Readonly<Record<string, string>>;

/** The calling application, as its lease describes it. Plain data, at most one second old. */
export interface Caller {
  readonly tenantId: number;
  readonly applicationId: number;
  /** The person who makes a change in a panel. */
  readonly personId?: number;
  /** Whether it runs on a server that calls for many shoppers. Its `X-Buyer-IP` is trusted. */
  readonly serverSide: boolean;
  readonly scopes: ReadonlySet<Scope>;
  /** The features of the tenant's plan. */
  readonly features: ReadonlySet<Feature>;
  /** The most customer registrations per minute in the tenant's plan. */
  readonly registrationsPerMinute: number;
  /** The tenant's main currency (ISO 4217), and every currency it sells in. */
  readonly currency: string;
  readonly currencies: readonly string[];
  /** The catalogue version when the lease was granted. */
  readonly catalogVersion: number;
  /** A position of the tenant's database that has `catalogVersion`; null if unknown. */
  readonly bookmark: Bookmark | null;
}

/** The customer whose session the request carries. */
export interface CustomerSession {
  readonly customerId: number;
  /** SHA-256 of the session's token; identifies the session. */
  readonly hash: string;
}

/** Makes a write happen once for an Idempotency-Key, even across crashes. */
export interface IdempotencyScope {
  /**
   * The reference that an earlier run with the same key committed, or `null` if the write is still to be
   * done.
   */
  readonly ref: string | null;
  /** What {@link mark} stores, for a write that another object commits; `null` without a key. */
  readonly claimed: ClaimedKey | null;
  /**
   * Returns statements for the write's own batch. They store `ref` with the key, and abort the batch if
   * another run with the key has committed. None without a key. An upload must have been read to its end, so that a
   * retry can be distinguished from a different body.
   */
  mark(ref: string): Statement[];
}

/** The router's environment: bindings, and variables set by middleware. */
export interface App {
  Bindings: Env;
  Variables: {
    requestId: string;
    /** The pattern of the endpoint's path (`/v1/products/{id}`), set by its token guard. */
    route: string;
    /** Header fields of the response: see `setHeaders`. */
    headers: HeaderFields;
    caller: Caller;
    /** The application of a known token, even if its call is refused; set by the token guard. */
    application: { readonly tenantId: number; readonly applicationId: number } | undefined;
    /** The tenant of a page or of an agent's request, which no application makes. */
    tenantId: number | undefined;
    /** Set by the customer guard; `null` if the session is optional and was not sent. */
    customer: CustomerSession | null;
    /** Whose data the response contains, if not the session's customer's. Erasing them deletes the stored response. */
    concerns: DataSubject | typeof NOT_ERASABLE | undefined;
    /**
     * Set while a cached read runs concurrently with the limiter: the current caller, or the limiter's
     * failure.
     */
    admitted: Promise<Result<Caller>> | undefined;
    /** The length in UTF-16 units of the text that was made for the response, if any; a 304 leaves it out. */
    bodyLength: number | undefined;
    /** How many characters a call held in memory beside the text of its response, where these may be many. */
    heldLength: number | undefined;
    /** The bytes of a JSON body, after the body guard. */
    bodyBytes: Uint8Array | undefined;
    /** The body of an endpoint that takes a stream, after the body guard. */
    upload: Upload | undefined;
  };
}

/**
 * One validated call of an endpoint. It is the context of actions on the caller's tenant; on a route without a
 * token guard, `tenantId` and `db` throw.
 */
export interface Call<Params = unknown, Query = unknown, Body = unknown> extends TenantContext {
  readonly c: Context<App>;
  /** The calling application. Throws on a route without a token guard. */
  readonly caller: Caller;
  /** The customer of the session (endpoints that declare `customer`), else `null`. */
  readonly customer: CustomerSession | null;
  readonly params: Params;
  readonly query: Query;
  readonly body: Body;
  /** The body of an endpoint that declares a `stream`. Throws on any other. */
  readonly upload: Upload;
  readonly once: IdempotencyScope;
  /**
   * Repeats the guards' checks as of now, for a handler that waited longer than a lease lasts. Returns the
   * failure, or null; `caller` is the current one then.
   */
  recheckAccess(): Promise<Failure | null>;
}

/** The part of a call that cached catalogue reads need. */
export type CatalogReader = Pick<Call, 'env' | 'ctx' | 'caller'>;

/** Returns the customer of a call. Throws if the endpoint doesn't declare `customer: 'required'`. */
export function customerOf({ c, customer }: Call): CustomerSession {
  if (!customer) throw new Error(`${c.req.path} asked for a customer without a customer guard`);
  return customer;
}

/** A handler's result: a value, a cached body, a failure, or (for streams) a response. */
export type Reply<Value> = Result<Value> | { readonly ok: true; readonly rendered: CachedBody } | Response;
