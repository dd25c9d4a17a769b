import type { z } from '@hono/zod-openapi';
import type { ErrorCode } from '../core/errors.ts';
import type { Feature, Scope } from '../core/scopes.ts';
import type { Call, Reply } from './context.ts';

/** A JSON body of a write to the catalogue may have this many bytes; others {@link MAX_BODY_BYTES}. */
export const MAX_CATALOG_BODY_BYTES = 1024 * 1024;
/** The bytes that a JSON body may have unless its endpoint says otherwise. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * One endpoint, declared once. Validation, types, guards, documented errors and the OpenAPI document
 * are all derived from it.
 */
export interface EndpointSpec<
  Params extends z.ZodType = z.ZodType,
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer extends z.ZodType = z.ZodType,
> {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path with OpenAPI parameters: `/v1/products/{id}`. */
  readonly path: `/${string}`;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope that the token needs, the super-admin's token, or none. */
  readonly access: Scope | 'platform' | 'public';
  /**
   * Reads a customer's session from `X-Customer-Token`. A wrong one is 401 `invalid_customer_token`, and so
   * is none where it is `required`; with `own` the handler checks it itself.
   */
  readonly customer?: 'required' | 'optional' | 'own';
  /** Refused with `plan_not_allowed` where the tenant's plan leaves it out. */
  readonly feature?: Feature;
  readonly params?: Params;
  readonly query?: Query;
  readonly body?: Body;
  /** Instead of `body`: a media type whose stream the handler reads itself. */
  readonly stream?: { readonly mediaType: string; readonly maxBytes: number };
  readonly maxBytes?: number;
  readonly status?: 200 | 201 | 202 | 204;
  readonly answer?: Answer;
  /** The codes that this endpoint adds to those which its guards can answer. */
  readonly errors?: readonly ErrorCode[];
  /**
   * A read through the catalogue cache: takes `If-None-Match` and `X-Catalog-Version`, answers 304.
   */
  readonly cached?: boolean;
  /** Responds with the resource's `ETag` although neither its path nor its headers take one. */
  readonly tagged?: boolean;
  /** Request headers that the handler reads, with what they do: for the document. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Takes an `Idempotency-Key`. Default: every POST; `own` where the room keeps the answers itself. */
  readonly idempotent?: boolean | 'own';
}

/** An endpoint with its handler, ready to be mounted. */
export interface Endpoint {
  readonly spec: EndpointSpec;
  readonly handler: (call: Call) => Promise<Reply<unknown>>;
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;

/**
 * Declares an endpoint: the handler gets its parameters, query and body validated and typed, and
 * answers the value that `answer` describes, or a failure.
 */
export function endpoint<
  Params extends z.ZodType = never,
  Query extends z.ZodType = never,
  Body extends z.ZodType = never,
  Answer extends z.ZodType = z.ZodVoid,
>(
  spec: EndpointSpec<Params, Query, Body, Answer>,
  handler: (call: Call<Out<Params>, Out<Query>, Out<Body>>) => Promise<Reply<z.input<Answer>>>,
): Endpoint {
  // The list of endpoints forgets the types that the handler was checked against above.
  return { spec, handler } as unknown as Endpoint;
}
