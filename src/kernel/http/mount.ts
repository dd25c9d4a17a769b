import { z } from '@hono/zod-openapi';
import { zValidator } from '@hono/zod-validator';
import type { Context, Hono, MiddlewareHandler } from 'hono';
import { type CachedBody, cachedBodyHeaders, etagMatches } from '../cache/cached-body.ts';
import type { Actor } from '../core/actor.ts';
import type { Failure } from '../core/errors.ts';
import { isRecord } from '../core/records.ts';
import { fail } from '../core/result.ts';
import { database } from '../data/database.ts';
import { locationHint } from '../data/location-hint.ts';
import { bodyGuard, type Recheck } from '../input/body-guard.ts';
import { urlCheck } from '../input/url-text.ts';
import { hasBody, takesKey } from '../openapi/operation.ts';
import { callInTurn } from './call-in-turn.ts';
import type { App, Call, Caller, IdempotencyScope, Reply } from './context.ts';
import { VARY_BY_FORMAT } from './csv.ts';
import { allowedMethods, type Endpoint, type EndpointSpec } from './endpoint.ts';
import { idempotent, WITHOUT_KEY } from './idempotency.ts';
import { locationOf, readerOf } from './location.ts';
import { fieldErrors, methodNotAllowed, problem } from './problem.ts';
import { respond, respondJson, setHeaders } from './response.ts';

/** Checks a request's headers before its body is read. */
export interface Guard {
  readonly enter: MiddlewareHandler<App>;
  /** Repeats the check as of now, after a slow body. Doesn't count against a limit. */
  readonly recheck: Recheck;
}

/** The guards of all endpoints, created by the modules access and customers and passed in by the app. */
export interface Guards {
  token(spec: EndpointSpec): Guard;
  readonly platform: Guard;
  customer(spec: EndpointSpec): Guard;
}

/** Registers endpoints on the router, with guards, body guard, validators and handler. */
export function mount(app: Hono<App>, endpoints: readonly Endpoint[], guards: Guards): void {
  refuseOtherMethods(app, endpoints);
  for (const { spec, handler } of endpoints) {
    const specGuards = guardsOf(spec, guards);
    const body = hasBody(spec) ? [bodyGuard(spec, (c) => recheckAll(specGuards, c))] : [];
    const before = [...specGuards.map(({ enter }) => enter), ...body, urlGuard(spec), ...validators(spec)];
    const path = spec.path.replaceAll(/\{(.+?)\}/g, ':$1');
    const reader = readerOf(spec, endpoints);
    app.on(spec.method, [path], ...before, (c) => call({ spec, handler, reader }, specGuards, c));
  }
}

/** The methods of endpoints. */
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Registers 405 for the other methods of fixed paths, which the router would take for a parameter: `/v1/products/{id}`. */
function refuseOtherMethods(app: Hono<App>, endpoints: readonly Endpoint[]): void {
  const fixed = endpoints.filter(({ spec }) => !spec.path.includes('{')).map(({ spec }) => spec.path);
  for (const path of new Set(fixed)) {
    const taken = allowedMethods(endpoints, path);
    const others = METHODS.filter((method) => !taken.includes(method));
    app.on(others, [path], (c) => methodNotAllowed(c, taken));
  }
}

/** The body of a POST that takes none: a field that is ignored could have been meant to change what it does. */
const NO_FIELDS = z.strictObject({});

/** Returns the middleware that validates each part of a request with its schema. */
function validators(spec: EndpointSpec): MiddlewareHandler<App>[] {
  const parts = [
    ['query', spec.query],
    ['param', spec.params],
    ['json', spec.body ?? (spec.method === 'post' && !spec.stream ? NO_FIELDS : undefined)],
  ] as const;
  return parts.flatMap(([part, schema]) =>
    schema
      ? zValidator(part, schema, (result, c) => {
          if (result.success) return;
          const errors = fieldErrors(result.error, part === 'json' ? 'body' : part);
          return invalidInput(c, errors, firstInvalid(errors, spec.listField));
        })
      : [],
  );
}

function guardsOf(spec: EndpointSpec, guards: Guards): Guard[] {
  if (spec.access === 'public') return [];
  if (spec.access === 'platform') return [guards.platform];
  const customer = spec.customer === 'required' || spec.customer === 'optional';
  return [guards.token(spec), ...(customer ? [guards.customer(spec)] : [])];
}

/** Repeats every guard's check in order. Returns the first failure. */
async function recheckAll(guards: readonly Guard[], c: Context<App>): Promise<Failure | null> {
  for (const guard of guards) {
    const failure = await guard.recheck(c);
    if (failure) return failure;
  }
  return null;
}

/** Rejects a URL that is not UTF-8 text, and undeclared query parameters; names the invalid declared ones as well. */
function urlGuard(spec: EndpointSpec): MiddlewareHandler<App> {
  const check = urlCheck(spec);
  return async (c, next) => {
    const errors = check(c.req.url);
    if (!errors) return next();
    const { error } = spec.query?.safeParse(c.req.query()) ?? {};
    return invalidInput(c, { ...(error && fieldErrors(error, 'query')), ...errors });
  };
}

/** Responds with 422, unless the limiter's pending decision is a failure. */
async function invalidInput(
  c: Context<App>,
  errors: Record<string, string[]>,
  details?: Failure['details'],
): Promise<Response> {
  const admitted = await c.get('admitted');
  if (admitted?.ok === false) return problem(c, admitted.failure);
  return problem(c, { code: 'validation_error', errors, ...(details && { details }) });
}

/** Returns the `index` of the first element of a list that has errors; nothing if none has. */
function firstInvalid(errors: Record<string, string[]>, listField: string | undefined): Failure['details'] {
  const indexes = Object.keys(errors).flatMap((path) => {
    const [list, index] = path.split('.');
    return list === listField && index !== undefined ? [Number(index)] : [];
  });
  return indexes.length > 0 ? { index: Math.min(...indexes) } : undefined;
}

/** Returns what a handler is called with: the validated input, who calls, and the tenant's database. */
function callOf(
  c: Context<App>,
  spec: EndpointSpec,
  { once, guards }: { readonly once: IdempotencyScope; readonly guards: readonly Guard[] },
): Call {
  // Hono's types know only validators of the route's own declaration; mount() has added these.
  const valid = (part: string): unknown => c.req.valid(part as never);
  return {
    c,
    env: c.env,
    ctx: c.executionCtx,
    get caller() {
      const caller = c.get('caller');
      if (!caller) throw new Error(`${spec.path} asked for a caller without a token guard`);
      return caller;
    },
    get actor() {
      return actorOf(c.get('caller'));
    },
    get near() {
      return locationHint(c.req.raw);
    },
    get tenantId() {
      return this.caller.tenantId;
    },
    get db() {
      return database(c.env, this.caller.tenantId);
    },
    customer: c.get('customer') ?? null,
    params: valid('param'),
    query: valid('query'),
    body: valid('json'),
    get upload() {
      const upload = c.get('upload');
      if (!upload) throw new Error(`${spec.path} asked for an upload and declares no stream`);
      return upload;
    },
    once,
    recheckAccess: () => recheckAll(guards, c),
  };
}

/** An endpoint, with the one that reads what it creates. */
interface MountedEndpoint extends Endpoint {
  readonly reader: EndpointSpec | undefined;
}

/** Calls the handler with the validated input and converts its reply to a response. */
async function call(endpoint: MountedEndpoint, guards: readonly Guard[], c: Context<App>): Promise<Response> {
  const { spec, handler } = endpoint;
  const callWith = (once: IdempotencyScope): Call => callOf(c, spec, { once, guards });
  const run = async (once: IdempotencyScope) =>
    responseOf(endpoint, c, await asAdmitted(c, () => handler(callWith(once))));
  const inTurn = (work: () => Promise<Response>) =>
    callInTurn(c, spec, { call: work, recheck: () => recheckAll(guards, c) });
  const key = takesKey(spec) ? c.req.header('idempotency-key') : undefined;
  if (key !== undefined && (key.length < 1 || key.length > 255)) return responseOf(endpoint, c, badKey);
  if (key === undefined || spec.idempotent === 'own') return inTurn(() => run(WITHOUT_KEY));
  const owner = spec.access === 'platform' ? { tenantId: 0, applicationId: 0 } : c.get('caller');
  return inTurn(async () =>
    responseOf(endpoint, c, await idempotent(callWith(WITHOUT_KEY), { ...owner, key }, run)),
  );
}

/** Returns who makes a call. The panels call with application id 0, the platform API without a caller. */
function actorOf(caller: Caller | undefined): Actor {
  if (caller?.applicationId) return { kind: 'application', id: String(caller.applicationId) };
  return { kind: 'panel', ...(caller?.personId !== undefined && { id: String(caller.personId) }) };
}

const badKey = fail('validation_error', {
  errors: { 'Idempotency-Key': ['must have 1 to 255 characters'] },
});

/**
 * Returns the reply for the caller as the limiter admits it. A read that ran concurrently with the limiter
 * fails with its failure, and is repeated if the caller (scopes, currencies, catalogue version) has changed.
 */
async function asAdmitted(c: Context<App>, read: () => Promise<Reply<unknown>>): Promise<Reply<unknown>> {
  const assumed = c.get('caller');
  const reply = await read();
  const admitted = await c.get('admitted');
  if (!admitted) return reply;
  if (!admitted.ok) return admitted;
  if (sameCaller(assumed, admitted.value)) return reply;
  c.set('caller', admitted.value);
  return read();
}

function sameCaller(a: Caller, b: Caller): boolean {
  const plain = (caller: Caller) =>
    JSON.stringify({ ...caller, scopes: [...caller.scopes], features: [...caller.features] });
  return plain(a) === plain(b);
}

function responseOf({ spec, reader }: MountedEndpoint, c: Context<App>, reply: Reply<unknown>): Response {
  if (reply instanceof Response) return reply;
  if (!reply.ok) return problem(c, reply.failure);
  if ('rendered' in reply) return cachedResponse(c, reply.rendered);
  if (spec.status === 204) return respond(c, null, { status: 204 });
  if (spec.csv) setHeaders(c, { Vary: VARY_BY_FORMAT });
  if (reader && isRecord(reply.value)) setHeaders(c, locationOf(c, { spec, reader }, reply.value));
  return respondJson(c, reply.value, spec.status ?? 200);
}

function cachedResponse(c: Context<App>, rendered: CachedBody): Response {
  const headers = cachedBodyHeaders(rendered);
  if (etagMatches(c.req.header('if-none-match'), rendered.etag)) {
    const unchanged = respond(c, null, { status: 304, headers });
    c.set('bodyLength', rendered.body.length);
    return unchanged;
  }
  return respond(c, rendered.body, {
    status: 200,
    headers: { ...headers, 'Content-Type': 'application/json' },
  });
}
