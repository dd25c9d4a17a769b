import type { Context } from 'hono';
import { Hono } from 'hono';
import { onlySends, slugOf, subjectOf } from '../audit/index.ts';
import { customerGuard } from '../customers/index.ts';
import { NEWEST } from '../kernel/cache/versioned-cache.ts';
import { type Feature, SCOPES } from '../kernel/core/scopes.ts';
import type { App, Caller } from '../kernel/http/context.ts';
import { type Endpoint, endpointAt } from '../kernel/http/endpoint.ts';
import { type Guard, mount } from '../kernel/http/mount.ts';
import { problem } from '../kernel/http/problem.ts';
import { requestId } from '../kernel/http/response.ts';
import { Problem } from '../kernel/openapi/problem-schema.ts';
import { PLANS } from '../tenants/index.ts';
import type { Answer, ApiCall, FormError } from './api-client.ts';
import { auditedCall, type Changer, completeRecord, readBefore } from './dispatch/record-change.ts';
import { INNER_APPLICATION, keyOf, wasCommitted } from './sent-before.ts';
import type { TenantHint } from './sessions/tenant-hint.ts';

/** The page's request that a call is made for, and the bindings that it reads with. */
interface PageContext {
  readonly c: Context<App>;
  readonly env: Env;
  /** Returns who makes the page's changes. */
  changer(): Promise<Changer | null>;
}

/** The principal of an internal request: a tenant, or the platform for one slug (`/` for all). */
type InnerPrincipal = Caller | { readonly platform: string };

/** Returns the principal of a change, with the person who makes it. */
const madeBy = ({ actorKind, actorId }: Changer, principal: InnerPrincipal): InnerPrincipal =>
  'platform' in principal || actorKind !== 'panel' || actorId === null
    ? principal
    : { ...principal, personId: actorId };

/** The principal of each internal request. No request from outside has one. */
const principals = new WeakMap<Request, InnerPrincipal>();

/**
 * The panels' API client. It calls the public API's endpoints inside the Worker, authorized by the panel
 * session instead of a token. Panels make every change through it, so the API's rules hold for them too.
 */
export class InnerApi {
  private app: Hono<App> | null = null;

  constructor(private readonly endpoints: () => readonly Endpoint[]) {}

  /** Calls an endpoint of the platform API about one tenant (or `/` for all of them). */
  platform<T>(page: PageContext, slug: string, call: ApiCall<T>): Promise<Answer<T>> {
    return this.read(page, { platform: slug }, call);
  }

  /** Calls an endpoint as the tenant, with all scopes and the features of its plan. */
  tenant<T>(page: PageContext, tenant: TenantHint, call: ApiCall<T>): Promise<Answer<T>> {
    return this.read(page, callerOf(tenant), call);
  }

  /** Reads a file from an endpoint as the tenant. Its body is not read yet. */
  async download(page: PageContext, tenant: TenantHint, call: ApiCall<never>): Promise<Answer<Response>> {
    const response = await this.send(page, callerOf(tenant), call);
    return response.ok
      ? { ok: true, value: response }
      : { ok: false, formError: await formErrorOf(response) };
  }

  private async read<T>(page: PageContext, principal: InnerPrincipal, call: ApiCall<T>): Promise<Answer<T>> {
    const response = await this.send(page, principal, call);
    if (!response.ok) return { ok: false, formError: await formErrorOf(response) };
    const text = await response.text();
    // Without a schema, the caller does not read the value.
    const value = call.answer ? call.answer.parse(JSON.parse(text)) : (undefined as T);
    return { ok: true, value, etag: response.headers.get('etag') };
  }

  private async send<T>(page: PageContext, principal: InnerPrincipal, call: ApiCall<T>): Promise<Response> {
    const changer = (call.method ?? 'GET') === 'GET' ? null : await page.changer();
    return changer
      ? this.change(page, madeBy(changer, principal), { call, changer })
      : this.forward(page, principal, call);
  }

  /** Makes a call that changes something, and records in the same batch who changed what. */
  private async change<T>(
    page: PageContext,
    principal: InnerPrincipal,
    { call, changer }: { call: ApiCall<T>; changer: Changer },
  ): Promise<Response> {
    const path = call.path.split('?')[0] ?? '';
    const endpoint = endpointAt(this.endpoints(), call.method ?? 'GET', path);
    if (!endpoint) return this.forward(page, principal, call);
    const owner = 'tenantId' in principal ? principal.tenantId : 0;
    // What only sends is recorded behind its response: an earlier run that has stored none has recorded nothing.
    const isRepeated =
      !onlySends(endpoint) && (await wasCommitted(page.env, owner, { path, once: call.once }));
    const subject = subjectOf(endpoint, path);
    // It does nothing, and what it did before is recorded. Only the creation of a tenant may go on.
    const isDone = isRepeated && owner !== 0;
    if (isDone && subject.id !== null) return this.forward(page, principal, call);
    const body = { ...call.body };
    const tenant = 'platform' in principal ? slugOf(principal.platform, subject, body) : principal.tenantId;
    const change = auditedCall({
      changer,
      endpoint,
      subject,
      path,
      tenant,
      body,
      env: page.env,
      before: await readBefore(this.endpoints(), { path, subject }, (from) =>
        this.forward(page, principal, { path: from }),
      ),
      requestId: page.c.get('requestId'),
    });
    const env = isDone ? page.env : change.env;
    const response = await this.forward({ ...page, env }, principal, call);
    await completeRecord(change, { endpoint, subject, isRepeated }, response);
    return response;
  }

  private async forward<T>(
    { c, env }: PageContext,
    principal: InnerPrincipal,
    call: ApiCall<T>,
  ): Promise<Response> {
    const headers = new Headers({ accept: call.accept ?? 'application/json' });
    const body = call.body ? JSON.stringify(call.body) : (call.file?.stream() ?? null);
    if (call.body) headers.set('content-type', 'application/json');
    if (call.mediaType) headers.set('content-type', call.mediaType);
    if (call.file) headers.set('content-length', String(call.file.size));
    if (call.match) headers.set('if-match', call.match);
    if (call.once) headers.set('idempotency-key', keyOf(call.once));
    const url = new URL(call.path, c.req.url);
    const request = new Request(url, { method: call.method ?? 'GET', headers, body });
    principals.set(request, principal);
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
    // A path that no endpoint has: an id that a page was given is empty.
    app.notFound((c) => problem(c, { code: 'not_found' }));
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
    const principal = principals.get(c.req.raw);
    if (!principal || 'platform' in principal) return problem(c, { code: 'unauthorized' });
    if (feature && !principal.features.has(feature)) return problem(c, { code: 'plan_not_allowed' });
    c.set('caller', principal);
    return next();
  },
  recheck: noRecheck,
});

/** Limits calls of the platform API to the caller's tenant, so that a developer reaches no other. */
const platformGuard: Guard = {
  enter: async (c, next) => {
    const principal = principals.get(c.req.raw);
    if (!principal || !('platform' in principal)) return problem(c, { code: 'unauthorized' });
    const prefix = `/admin/v1/tenants/${principal.platform}/`;
    if (principal.platform !== '/' && !`${c.req.path}/`.startsWith(prefix))
      return problem(c, { code: 'not_found' });
    return next();
  },
  recheck: noRecheck,
};

const callerOf = ({ id, plan, currencies }: TenantHint): Caller => ({
  tenantId: id,
  applicationId: INNER_APPLICATION,
  serverSide: false,
  scopes: new Set(SCOPES),
  features: new Set(PLANS[plan].features),
  registrationsPerMinute: PLANS[plan].registrationsPerMinute,
  currency: currencies[0] ?? '',
  currencies,
  catalogVersion: NEWEST,
  bookmark: null,
});

/** The form field of each conflict error. */
const CONFLICT_FIELDS: Readonly<Record<string, string>> = {
  slug_taken: 'slug',
  code_taken: 'code',
  sku_taken: 'sku',
  host_taken: 'ucp.hosts',
};

/** Texts for errors about the idempotency key, which forms set and do not show. */
const FORM_TEXTS: Readonly<Record<string, string>> = {
  idempotency_in_progress:
    'This form was sent before and is still being worked on. Send it again in a moment to see the result.',
  idempotency_key_reused:
    'This form was sent before with other values. Check what that changed, then send it again to save these.',
};

/** Returns the error that a response reports. */
async function formErrorOf(response: Response): Promise<FormError> {
  const { code, details = {}, ...more } = Problem.parse(await response.json());
  const message = FORM_TEXTS[code] ?? more.message;
  const field = CONFLICT_FIELDS[code];
  const errors = more.errors ?? (field ? { [field]: [message] } : {});
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return { message, errors, status: response.status, code, details, retryAfter };
}
