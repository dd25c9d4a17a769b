import { OpenAPIHono, type z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { customerGuard } from '../customers/index.ts';
import { type Feature, SCOPES } from '../kernel/core/scopes.ts';
import { database } from '../kernel/data/database.ts';
import { NEWEST } from '../kernel/data/versioned-cache.ts';
import type { App, Caller } from '../kernel/http/context.ts';
import type { Endpoint } from '../kernel/http/endpoint.ts';
import { type Guard, mount } from '../kernel/http/mount.ts';
import { Problem, problem } from '../kernel/http/problem.ts';
import { requestId } from '../kernel/http/response.ts';
import { PLANS, tenantBySlug } from '../tenants/index.ts';
import type { TenantHint } from './tenant-hint.ts';

/** What went wrong with a form: a sentence, and what is wrong with which field. */
export interface FormError {
  readonly message: string;
  readonly errors: Readonly<Record<string, string[]>>;
  /** The HTTP status that tells of it. */
  readonly status: number;
  /** What the API calls it, and the facts that belong to that; neither where a page itself found fault. */
  readonly code?: string;
  readonly details?: Readonly<Record<string, unknown>>;
  /** After how many seconds it is worth trying again. */
  readonly retryAfter?: number | undefined;
}

/** What an endpoint answered. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly trouble: FormError };

/** A call of one of the API's endpoints. */
export interface Ask<T> {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Path and query: `/v1/products?page=2`. */
  readonly path: string;
  readonly body?: object;
  /** A file, where the endpoint takes a stream. */
  readonly file?: Blob;
  readonly mediaType?: string;
  /** Makes a repeat of the same form harmless (Idempotency-Key). */
  readonly once?: string | undefined;
  /** The session of a customer, for the public API (X-Customer-Token). */
  readonly customer?: string;
  /** What the endpoint answers; left out where nothing is read of it. */
  readonly answer?: z.ZodType<T>;
}

/** Who a request of the panels' own acts for: a tenant, or the platform. */
type Who = Caller | { readonly platform: string };

const callers = new WeakMap<Request, Who>();

/**
 * The panels' way to the API: the very endpoints that tokens reach, called inside the Worker, with the
 * session in the token's place. Nothing is changed in any other way, so the rules are the same.
 */
export class InnerApi {
  private app: OpenAPIHono<App> | null = null;

  constructor(private readonly endpoints: () => readonly Endpoint[]) {}

  /** Calls an endpoint of the platform API about one tenant (or `/` for all of them). */
  platform<T>(c: Context<App>, env: Env, slug: string, ask: Ask<T>): Promise<Answer<T>> {
    return this.call(c, env, { platform: slug }, ask);
  }

  /** Calls an endpoint as the tenant, who may do everything that its plan includes. */
  tenant<T>(c: Context<App>, env: Env, tenant: TenantHint, ask: Ask<T>): Promise<Answer<T>> {
    return this.call(c, env, callerOf(tenant), ask);
  }

  private async call<T>(c: Context<App>, env: Env, who: Who, ask: Ask<T>): Promise<Answer<T>> {
    const headers = new Headers({ accept: 'application/json' });
    const body = ask.body ? JSON.stringify(ask.body) : (ask.file?.stream() ?? null);
    if (ask.body) headers.set('content-type', 'application/json');
    if (ask.mediaType) headers.set('content-type', ask.mediaType);
    if (ask.file) headers.set('content-length', String(ask.file.size));
    if (ask.once) headers.set('idempotency-key', ask.once);
    const url = new URL(ask.path, c.req.url);
    const request = new Request(url, { method: ask.method ?? 'GET', headers, body });
    callers.set(request, who);
    const response = await this.mounted().fetch(request, env, c.executionCtx);
    return read(response, ask);
  }

  /** Mounted on the first use: most requests of an isolate never see a panel. */
  private mounted(): OpenAPIHono<App> {
    if (this.app) return this.app;
    const app = new OpenAPIHono<App>();
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

/** The panel has decided who acts, and its own form has arrived: nothing is decided again here. */
const decided = async () => null;

const tenantGuard = (feature: Feature | undefined): Guard => ({
  enter: async (c, next) => {
    const who = callers.get(c.req.raw);
    if (!who || 'platform' in who) return problem(c, { code: 'unauthorized' });
    if (feature && !who.features.has(feature)) return problem(c, { code: 'plan_not_allowed' });
    c.set('caller', who);
    return next();
  },
  again: decided,
});

/** A developer's calls of the platform API are held to their own tenant once more here. */
const platformGuard: Guard = {
  enter: async (c, next) => {
    const who = callers.get(c.req.raw);
    if (!who || !('platform' in who)) return problem(c, { code: 'unauthorized' });
    const below = `/admin/v1/tenants/${who.platform}/`;
    if (who.platform !== '/' && !`${c.req.path}/`.startsWith(below)) return problem(c, { code: 'not_found' });
    return next();
  },
  again: decided,
};

/** The tenant as a caller; as application 0, which no token has. */
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
});

/** The router itself, as the network reaches it. */
export type Fetch = (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;

/** Calls the public API with a token, through everything that any client's request goes through. */
export async function callPublic<T>(
  c: Context<App>,
  fetch: Fetch,
  token: string,
  ask: Ask<T>,
): Promise<Answer<T>> {
  const headers = new Headers({ authorization: `Bearer ${token}`, accept: 'application/json' });
  if (ask.body) headers.set('content-type', 'application/json');
  if (ask.once) headers.set('idempotency-key', ask.once);
  if (ask.customer) headers.set('x-customer-token', ask.customer);
  // The call stays in this Worker: the address that connects to the page is the one that connects to the API.
  const shopper = c.req.header('cf-connecting-ip');
  if (shopper) headers.set('cf-connecting-ip', shopper);
  const body = ask.body ? JSON.stringify(ask.body) : null;
  const request = new Request(new URL(ask.path, c.req.url), { method: ask.method ?? 'GET', headers, body });
  // Hono's type leaves out what only tests and older runtimes lack.
  return read(await fetch(request, c.env, c.executionCtx as ExecutionContext), ask);
}

/** The field that a conflict is about. */
const FIELDS: Readonly<Record<string, string>> = { slug_taken: 'slug', code_taken: 'code' };

async function read<T>(response: Response, { answer }: Ask<T>): Promise<Answer<T>> {
  const text = await response.text();
  if (response.ok) {
    // Without `answer` nobody reads the value.
    const value = answer ? answer.parse(JSON.parse(text)) : (undefined as T);
    return { ok: true, value };
  }
  const { message, code, details = {}, ...more } = Problem.parse(JSON.parse(text));
  const field = FIELDS[code];
  const errors = more.errors ?? (field ? { [field]: [message] } : {});
  const retryAfter = Number(response.headers.get('retry-after')) || undefined;
  return { ok: false, trouble: { message, errors, status: response.status, code, details, retryAfter } };
}

/** The tenant of a slug, for pages of the super-admin that act inside it. */
export const tenantOf = (env: Env, slug: string) => tenantBySlug(database(env), slug);
