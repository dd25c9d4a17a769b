import type { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { Hono } from 'hono';
import { slugOf, subjectOf } from '../audit/index.ts';
import { customerGuard } from '../customers/index.ts';
import { NEWEST } from '../kernel/cache/versioned-cache.ts';
import { type Feature, SCOPES } from '../kernel/core/scopes.ts';
import { sha256 } from '../kernel/crypto/crypto.ts';
import type { App, Caller } from '../kernel/http/context.ts';
import { type Endpoint, endpointAt } from '../kernel/http/endpoint.ts';
import { type Guard, mount } from '../kernel/http/mount.ts';
import { problem } from '../kernel/http/problem.ts';
import { requestId } from '../kernel/http/response.ts';
import { Problem } from '../kernel/openapi/problem-schema.ts';
import { PLANS, tenantBySlug } from '../tenants/index.ts';
import { auditedCall, type Changer, readBefore, settle } from './dispatch/record-change.ts';
import type { TenantHint } from './sessions/tenant-hint.ts';

/** An error that a page or form shows: a message, and messages by field. */
export interface FormError {
  readonly message: string;
  readonly errors: Readonly<Record<string, string[]>>;
  /** The HTTP status of the page. */
  readonly status: number;
  /** The API's error code and details; absent for an error that the page itself found. */
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** Seconds until a retry makes sense. */
  readonly retryAfter?: number | undefined;
}

/** The result of an API call. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T; readonly etag?: string | null }
  | { readonly ok: false; readonly trouble: FormError };

/** A call of an API endpoint. */
export interface Ask<T> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query: `/v1/products?page=2`. */
  readonly path: string;
  readonly body?: object;
  /** A file, for endpoints that take a stream. */
  readonly file?: Blob;
  readonly mediaType?: string;
  /** The `If-Match`: the call fails with `precondition_failed` if the resource has another `ETag` by now. */
  readonly match?: string | null | undefined;
  /** The Idempotency-Key: sending the same form twice has one effect. */
  readonly once?: string | undefined;
  /** The schema of the response; absent when the value is not read. */
  readonly answer?: z.ZodType<T>;
}

/** A file to read from the API. */
export interface FileAsk {
  readonly path: string;
  /** The media type. */
  readonly accept: string;
}

/** The page's request that a call is made for, and the bindings that it reads with. */
export interface PageContext {
  readonly c: Context<App>;
  readonly env: Env;
  /** Returns who makes the page's changes. */
  changer(): Promise<Changer | null>;
}

/** The principal of an internal request: a tenant, or the platform for one slug (`/` for all). */
type Who = Caller | { readonly platform: string };

const callers = new WeakMap<Request, Who>();

/**
 * The panels' API client. It calls the public API's endpoints inside the Worker, authorized by the panel
 * session instead of a token. Panels make every change through it, so the API's rules hold for them too.
 */
export class InnerApi {
  private app: Hono<App> | null = null;

  constructor(private readonly endpoints: () => readonly Endpoint[]) {}

  /** Calls an endpoint of the platform API about one tenant (or `/` for all of them). */
  platform<T>(page: PageContext, slug: string, ask: Ask<T>): Promise<Answer<T>> {
    return this.call(page, { platform: slug }, ask);
  }

  /** Calls an endpoint as the tenant, with all scopes and the features of its plan. */
  tenant<T>(page: PageContext, tenant: TenantHint, ask: Ask<T>): Promise<Answer<T>> {
    return this.call(page, callerOf(tenant), ask);
  }

  /** Reads a file from an endpoint as the tenant. Its body is not read yet. */
  async download(page: PageContext, tenant: TenantHint, ask: FileAsk): Promise<Answer<Response>> {
    const response = await this.send(page, callerOf(tenant), ask);
    return response.ok ? { ok: true, value: response } : { ok: false, trouble: await troubleOf(response) };
  }

  private async call<T>(page: PageContext, who: Who, ask: Ask<T>): Promise<Answer<T>> {
    return read(await this.send(page, who, ask), ask);
  }

  private async send<T>(page: PageContext, who: Who, ask: Ask<T> & Partial<FileAsk>): Promise<Response> {
    const changer = (ask.method ?? 'GET') === 'GET' ? null : await page.changer();
    return changer ? this.change(page, who, { ask, changer }) : this.forward(page, who, ask);
  }

  /** Makes a call that changes something, and records in the same batch who changed what. */
  private async change<T>(
    page: PageContext,
    who: Who,
    { ask, changer }: { ask: Ask<T>; changer: Changer },
  ): Promise<Response> {
    const path = ask.path.split('?')[0] ?? '';
    const endpoint = endpointAt(this.endpoints(), ask.method ?? 'GET', path);
    if (!endpoint) return this.forward(page, who, ask);
    const subject = subjectOf(endpoint, path);
    const named = { body: {}, ...(ask.body && { body: { ...ask.body } }) };
    const tenant = 'platform' in who ? slugOf(who.platform, subject, named.body) : who.tenantId;
    const change = auditedCall({
      ...{ changer, endpoint, subject, path, tenant, ...named },
      env: page.env,
      before: await readBefore(this.endpoints(), { path, subject }, (from) =>
        this.forward(page, who, { path: from }),
      ),
      requestId: page.c.get('requestId'),
    });
    const response = await this.forward({ ...page, env: change.env }, who, ask);
    await settle(change, { endpoint, subject }, response);
    return response;
  }

  private async forward<T>(
    { c, env }: PageContext,
    who: Who,
    ask: Ask<T> & Partial<FileAsk>,
  ): Promise<Response> {
    const headers = new Headers({ accept: ask.accept ?? 'application/json' });
    const body = ask.body ? JSON.stringify(ask.body) : (ask.file?.stream() ?? null);
    if (ask.body) headers.set('content-type', 'application/json');
    if (ask.mediaType) headers.set('content-type', ask.mediaType);
    if (ask.file) headers.set('content-length', String(ask.file.size));
    if (ask.match) headers.set('if-match', ask.match);
    // A form's field may hold what no header can.
    if (ask.once) headers.set('idempotency-key', sha256(ask.once));
    const url = new URL(ask.path, c.req.url);
    const request = new Request(url, { method: ask.method ?? 'GET', headers, body });
    callers.set(request, who);
    return this.mounted().fetch(request, env, c.executionCtx);
  }

  /** Returns the router; built on first use, because most isolates never serve a panel. */
  private mounted(): Hono<App> {
    if (this.app) return this.app;
    const app = new Hono<App>();
    app.use(requestId);
    mount(app, this.endpoints(), {
      token: (spec) => tenantGuard(spec.feature),
      platform: platformGuard,
      customer: customerGuard,
    });
    app.onError((error) => {
      throw error;
    });
    this.app = app;
    return app;
  }
}

/** The guards' second check, after a slow body: none, because the panel has checked the session already. */
const noRecheck = async () => null;

const tenantGuard = (feature: Feature | undefined): Guard => ({
  enter: async (c, next) => {
    const who = callers.get(c.req.raw);
    if (!who || 'platform' in who) return problem(c, { code: 'unauthorized' });
    if (feature && !who.features.has(feature)) return problem(c, { code: 'plan_not_allowed' });
    c.set('caller', who);
    return next();
  },
  again: noRecheck,
});

/** Limits calls of the platform API to the caller's tenant, so that a developer reaches no other. */
const platformGuard: Guard = {
  enter: async (c, next) => {
    const who = callers.get(c.req.raw);
    if (!who || !('platform' in who)) return problem(c, { code: 'unauthorized' });
    const prefix = `/admin/v1/tenants/${who.platform}/`;
    if (who.platform !== '/' && !`${c.req.path}/`.startsWith(prefix))
      return problem(c, { code: 'not_found' });
    return next();
  },
  again: noRecheck,
};

/** Returns the tenant as a caller, with application id 0, which no token has. */
const callerOf = ({ id, plan, currencies }: TenantHint): Caller => ({
  tenantId: id,
  applicationId: 0,
  serverSide: false,
  scopes: new Set(SCOPES),
  features: new Set(PLANS[plan].features),
  registrationsPerMinute: PLANS[plan].registrationsPerMinute,
  currency: currencies[0] ?? '',
  currencies,
  catalogVersion: NEWEST,
  bookmark: null,
});

/** The Worker's fetch handler. */
export type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** Calls the public API inside the Worker, through the same router and limits as any client's request. */
export function fetchPublic(c: Context<App>, fetch: Fetch, request: Request): Promise<Response> {
  const headers = new Headers(request.headers);
  // The call stays in this Worker, so the shopper's address is passed on as the client's.
  const shopper = c.req.header('cf-connecting-ip');
  if (shopper) headers.set('cf-connecting-ip', shopper);
  const { cf } = c.req.raw;
  const inner = new Request(request, { headers, ...(cf && { cf }) });
  // Hono's type lacks members that every current Workers runtime has.
  const response = fetch(inner, c.env, c.executionCtx as ExecutionContext);
  return Promise.resolve(response);
}

/** The form field of each conflict error. */
const CONFLICT_FIELDS: Readonly<Record<string, string>> = { slug_taken: 'slug', code_taken: 'code' };

async function read<T>(response: Response, { answer }: Ask<T>): Promise<Answer<T>> {
  if (!response.ok) return { ok: false, trouble: await troubleOf(response) };
  const text = await response.text();
  // Without a schema, the caller does not read the value.
  const value = answer ? answer.parse(JSON.parse(text)) : (undefined as T);
  return { ok: true, value, etag: response.headers.get('etag') };
}

/** Returns the error that a response reports (RFC 9457). */
async function troubleOf(response: Response): Promise<FormError> {
  const { message, code, details = {}, ...more } = Problem.parse(await response.json());
  const field = CONFLICT_FIELDS[code];
  const errors = more.errors ?? (field ? { [field]: [message] } : {});
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return { message, errors, status: response.status, code, details, retryAfter };
}

/** Returns the tenant with this slug, for the super-admin's pages. */
export const tenantOf = (env: Env, slug: string) => tenantBySlug(env, slug);
