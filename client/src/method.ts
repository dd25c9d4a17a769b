import type { Resources } from './generated/operations.ts';
import type { components, webhooks } from './generated/schema.ts';
import type { Upload } from './operation.ts';

/** The schemas of the API by name: `Schemas['Product']`. */
export type Schemas = components['schemas'];

/** Options of one call. */
export interface CallOptions {
  /** Aborts the call and its retries. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds that one attempt may take. */
  readonly timeoutMs?: number | undefined;
  /** The number of retries after the first attempt. */
  readonly retries?: number | undefined;
  /** The key of a POST, for a caller that repeats the call itself. Default: a new one for each call. */
  readonly idempotencyKey?: string | undefined;
  /**
   * Makes the change only if the resource still is as it was read, else fails with `precondition_failed`: an
   * object that this client returned, an ETag, or `true` for the session's cart as last returned.
   */
  readonly ifMatch?: object | string | true;
}

/** The body of a response: JSON where there is another format too, since the client asks for it. */
type Content<T> = T extends { content: { 'application/json': infer Body } }
  ? Body
  : T extends { content: infer Types }
    ? Types[keyof Types]
    : undefined;
type Success<T> = { [Status in keyof T]: Content<T[Status]> }[keyof T];

/** The response body of an operation; undefined for 204. */
export type Output<Op> = Op extends { responses: infer Responses } ? Success<Responses> : never;

type Part<T> = [NonNullable<T>] extends [never] ? unknown : NonNullable<T>;
type BodyOf<Op> = Op extends { requestBody?: infer Request } ? BodyOfRequest<NonNullable<Request>> : unknown;
type BodyOfRequest<Request> = [Request] extends [never]
  ? unknown
  : Request extends { content: { 'application/json': infer Body } }
    ? Body
    : { body: Upload };
type Inputs<Op> = Op extends { parameters: { query?: infer Query; path?: infer Path } }
  ? Part<Query> & Part<Path> & BodyOf<Op>
  : never;

/** Makes `cart_token` optional: the client has the session's. */
type WithSession<T> = T extends { cart_token: infer Token }
  ? { [K in keyof T as K extends 'cart_token' ? never : K]: T[K] } & { cart_token?: Token }
  : T;

/** The input of an operation: its path parameters, query and body in one object. What is undefined is left out. */
export type Input<Op> = Flat<WithSession<Inputs<Op>>>;
type Flat<T> = T extends object ? { [K in keyof T]: Unchanged<T[K]> | Absent<T, K> } : Record<never, never>;
/** Arrays of an input may be readonly; what a record such as `attr` has of a name may be undefined as well. */
type Unchanged<T> = T extends (infer Item)[]
  ? readonly Item[]
  : string extends keyof T
    ? { [K in keyof T]: Unchanged<T[K]> | undefined }
    : T;
/** What an optional field may be besides: undefined, also where the caller has `exactOptionalPropertyTypes`. */
type Absent<T, K extends keyof T> = Record<never, never> extends Pick<T, K> ? undefined : never;

type Arguments<In> =
  Record<never, never> extends In ? [input?: In, options?: CallOptions] : [input: In, options?: CallOptions];

type ItemOf<Out> = Out extends { data: readonly (infer Item)[] } ? Item : never;

/** A list's iterator over all its pages. */
type Each<Op> = (
  ...args: Arguments<Omit<Input<Op>, 'page' | 'cursor'>>
) => AsyncGenerator<ItemOf<Output<Op>>>;

/** A method of the client. A list also has `each`, which iterates over all pages. */
export type Method<Op> = ((...args: Arguments<Input<Op>>) => Promise<Output<Op>>) &
  (Op extends { parameters: unknown } ? EachOf<Op> : never);
type EachOf<Op> = Output<Op> extends { data: readonly unknown[] } ? { readonly each: Each<Op> } : unknown;

/** The methods of a resource; `each` iterates over its list. */
export type Resource<Methods> = { readonly [M in keyof Methods]: Method<Methods[M]> } & (Methods extends {
  list: infer List;
}
  ? { readonly each: Each<List> }
  : unknown);

/** The client's methods by resource. */
export type Methods = { readonly [R in keyof Resources]: Resource<Resources[R]> };

type EventBody<T> = T extends { post: { requestBody: { content: { 'application/json': infer Body } } } }
  ? Body
  : never;

/** The body of a webhook delivery; `type` discriminates the events. */
export type WebhookEvent = { [Type in keyof webhooks]: EventBody<webhooks[Type]> }[keyof webhooks];
