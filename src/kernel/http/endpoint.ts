import type { z } from '@hono/zod-openapi';
import type { ErrorCode } from '../core/errors.ts';
import type { Feature, Scope } from '../core/scopes.ts';
import type { Example, NamedExamples } from '../openapi/example.ts';
import type { Call, Reply } from './context.ts';

/** The largest JSON body of a catalogue write. */
export const MAX_CATALOG_BODY_BYTES = 1024 * 1024;
/** The largest JSON body, unless the endpoint sets `maxBytes`. */
export const MAX_BODY_BYTES = 64 * 1024;

/**
 * The declaration of an endpoint. Validation, types, guards, documented errors and the OpenAPI document are
 * derived from it.
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
  /** The OpenAPI operation id, where the REST convention of {@link operationIdOf} doesn't read as code. */
  readonly id?: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** The scope that the token needs, the super-admin's token, or none. */
  readonly access: Scope | 'platform' | 'public';
  /**
   * Reads a customer session from `X-Customer-Token`. An invalid session, or none where it is `required`, is
   * 401 `invalid_customer_token`. With `own` the handler checks the session itself.
   */
  readonly customer?: 'required' | 'optional' | 'own';
  /** The feature that the tenant's plan must include, else `plan_not_allowed`. */
  readonly feature?: Feature;
  readonly params?: Params;
  readonly query?: Query;
  /** Query parameters beyond those of `query`: all whose names begin with a prefix. */
  readonly openQuery?: { readonly prefix: string; readonly description: string };
  readonly body?: Body;
  /** Instead of `body`: the media types of a stream that the handler reads itself. */
  readonly stream?: { readonly mediaTypes: readonly string[]; readonly maxBytes: number };
  readonly maxBytes?: number;
  /** The list in the body of which a 422 names the first invalid element in `details.index`. */
  readonly listField?: string;
  readonly status?: 200 | 201 | 202 | 204;
  /** The path below which what a POST creates or starts is found: `/v1/imports`. Default: its own path. */
  readonly creates?: `/${string}`;
  readonly answer?: Answer;
  /** The columns of the CSV that the endpoint responds with to `Accept: text/csv`. */
  readonly csv?: readonly string[];
  /** The error codes of this endpoint beyond those of its guards. */
  readonly errors?: readonly ErrorCode[];
  /**
   * Reads through the catalogue cache: supports `If-None-Match` (304) and `X-Catalog-Version`.
   */
  readonly cached?: boolean;
  /**
   * Whether it responds with the resource's `ETag`. Default: if it is `cached`, takes one in `headers`, or has a scope of
   * carts.
   */
  readonly tagged?: boolean;
  /**
   * Whether it increments the catalogue version and responds with it. Default: if it is a write with a scope whose writes
   * usually do.
   */
  readonly changesCatalog?: boolean;
  /** Request headers that the handler reads, with their OpenAPI descriptions. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Supports `Idempotency-Key`. Default: every POST. With `own` the module stores the responses itself. */
  readonly idempotent?: boolean | 'own';
  /** Whether a read may wait for something to happen. Its handler takes the turns for its reads itself (`inTurn`), by the path. */
  readonly waits?: boolean;
  /** Whether a page may take reading rows in the number of all that the tenant has: its calls share the tenant's allowance. */
  readonly readsMany?: boolean;
  /** An example for the OpenAPI document. A function, so that only generating the document evaluates it. */
  readonly example?: () => Example<ExampleSchemas<Params, Query, Body, Answer>>;
  /** Instead of `example`: several by name, for an endpoint whose bodies differ in kind. */
  readonly examples?: () => NamedExamples<ExampleSchemas<Params, Query, Body, Answer>>;
}

/** Returns whether a call needs an application's token: `access` is the scope that the token must have. */
export const takesToken = (access: EndpointSpec['access']): access is Scope =>
  access !== 'platform' && access !== 'public';

/** The schemas that examples are checked against. Without a body schema, the body is a stream's text. */
interface ExampleSchemas<Params, Query, Body, Answer> {
  readonly params: NoInfer<Params>;
  readonly query: NoInfer<Query>;
  readonly body: NoInfer<Body>;
  readonly answer: NoInfer<Answer>;
}

/** An endpoint with its handler, ready to be mounted. */
export interface Endpoint {
  readonly spec: EndpointSpec;
  readonly handler: (call: Call) => Promise<Reply<unknown>>;
}

type Out<T> = T extends z.ZodType ? z.output<T> : undefined;

/**
 * Declares an endpoint. The handler gets validated and typed parameters, query and body. It returns the value
 * that `answer` describes, or a failure.
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
  // `Endpoint` erases the types that the handler was checked against above.
  return { spec, handler } as unknown as Endpoint;
}

const patterns = new WeakMap<Endpoint, RegExp>();

function patternOf(endpoint: Endpoint): RegExp {
  const known = patterns.get(endpoint);
  if (known) return known;
  const pattern = new RegExp(`^${endpoint.spec.path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  patterns.set(endpoint, pattern);
  return pattern;
}

/** Returns the endpoints of a path: `/v1/products/bulk` is not the product `bulk` of `/v1/products/{id}`. */
function endpointsAt(endpoints: readonly Endpoint[], path: string): readonly Endpoint[] {
  const fixed = endpoints.filter(({ spec }) => spec.path === path);
  return fixed.length > 0 ? fixed : endpoints.filter((endpoint) => patternOf(endpoint).test(path));
}

/** Returns the endpoint of a method (any case) and path, or `undefined`. */
export const endpointAt = (
  endpoints: readonly Endpoint[],
  method: string,
  path: string,
): Endpoint | undefined =>
  endpointsAt(endpoints, path).find(({ spec }) => spec.method === method.toLowerCase());

/**
 * Returns the path parameter by which `to` names what the POST `from` creates or starts, a field of the POST's response;
 * `undefined` if `to` is about something else.
 */
export function createdParameter(from: EndpointSpec, to: EndpointSpec): string | undefined {
  const base = from.creates ?? from.path;
  return to.path.startsWith(base) ? /^\/\{([^}/]+)\}$/.exec(to.path.slice(base.length))?.[1] : undefined;
}

/** Returns the methods of a path's endpoints in upper case; none for an unknown path. */
export function allowedMethods(endpoints: readonly Endpoint[], path: string): string[] {
  const methods = new Set(endpointsAt(endpoints, path).map(({ spec }) => spec.method.toUpperCase()));
  // Hono serves HEAD for every GET (RFC 9110, 9.3.2).
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods];
}
