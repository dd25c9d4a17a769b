import { env, exports } from 'cloudflare:workers';
import { expect } from 'vitest';
import type { Scope } from '../../src/kernel/core/scopes.ts';
import { checkAnswer } from './contract/contract.ts';
import { waitForLimiter } from './runtime/late-limiter.ts';
import { noteTenant } from './runtime/own-tenants.ts';

/** A response: status, headers, and the JSON body (null when there is none). */
export interface Answer {
  status: number;
  headers: Headers;
  // A test reads fields of many shapes; the OpenAPI document has checked the shape already.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  body: any;
}

/** Options of a request. */
export interface Options {
  token?: string | null;
  headers?: Record<string, string>;
  body?: unknown;
  /** A body sent as it is, instead of `body` as JSON. */
  raw?: BodyInit;
}

const BASE = 'https://api.example.com';

/**
 * Sends a request through the Worker, and checks the response against the OpenAPI document. Sends it again while the
 * limiter of a busy machine is too late for it: nothing was done then.
 */
export async function send(method: string, path: string, options: Options = {}): Promise<Answer> {
  const tenantId = tenantOf(options.token);
  if (tenantId !== null) noteTenant(tenantId);
  const attempt = () => sendOnce(method, path, options);
  // A stream can be sent once.
  const answer = await (options.raw instanceof ReadableStream ? attempt() : waitForLimiter(attempt));
  await checkAnswer(method, path, answer);
  return answer;
}

async function sendOnce(method: string, path: string, options: Options): Promise<Answer> {
  const headers = new Headers({ accept: 'application/json', ...options.headers });
  if (options.token) headers.set('authorization', `Bearer ${options.token}`);
  const json = options.body === undefined ? null : JSON.stringify(options.body);
  if (json !== null && !headers.has('content-type')) headers.set('content-type', 'application/json');
  const body = options.raw ?? json;
  const response = await exports.default.fetch(new Request(`${BASE}${path}`, { method, headers, body }));
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? parse(text) : null };
}

/** Returns the id of the tenant that a token names. */
function tenantOf(token: string | null | undefined): number | null {
  const id = /^sfe_(?:live|test)_(\d+)-/.exec(token ?? '')?.[1];
  return id === undefined ? null : Number(id);
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Calls the platform API as the super-admin. */
export const admin = (method: string, path: string, body?: unknown) =>
  send(method, `/admin/v1${path}`, { token: env.SUPER_ADMIN_TOKEN, ...(body === undefined ? {} : { body }) });

let count = 0;

/** Options of a new tenant. */
export interface WorldOptions {
  name?: string;
  currency?: string;
  currencies?: string[];
  plan?: 'starter' | 'growth' | 'enterprise';
  settings?: object;
  application?: Registration;
}

/** Creates a tenant for one test, with an integration token that has every scope. */
export async function world(options: WorldOptions = {}) {
  count += 1;
  const slug = `t${crypto.randomUUID().slice(0, 12)}${count}`;
  const { application, ...tenant } = options;
  const created = await admin('POST', '/tenants', {
    slug,
    name: `Tenant ${count}`,
    currency: 'EUR',
    plan: 'growth',
    ...tenant,
  });
  expect(created.status, JSON.stringify(created.body)).toBe(201);
  const app = await register(slug, { kind: 'integration', ...application });
  const tenantId = tenantOf(app.token) ?? Number.NaN;
  noteTenant(tenantId);
  const call =
    (method: string) =>
    (path: string, more?: unknown, rest: Options = {}) =>
      send(method, `/v1${path}`, {
        token: app.token,
        ...(more === undefined ? {} : { body: more }),
        ...rest,
      });
  return {
    slug,
    token: app.token as string,
    tenantId,
    applicationId: app.id as number,
    get: (path: string, rest: Options = {}) => send('GET', `/v1${path}`, { token: app.token, ...rest }),
    post: call('POST'),
    patch: call('PATCH'),
    put: call('PUT'),
    delete: (path: string, rest: Options = {}) => send('DELETE', `/v1${path}`, { token: app.token, ...rest }),
    register: (more: Registration = {}) => register(slug, more),
  };
}

/** One tenant, and calls with its token. */
export type World = Awaited<ReturnType<typeof world>>;

/** Options of a new application. */
export interface Registration {
  kind?: 'storefront' | 'mobile' | 'integration' | 'agent';
  agent_profile?: string;
  server_side?: boolean;
  scopes?: Scope[];
  allowed_origins?: string[];
  rate_limit_per_minute?: number;
  expires_at?: string;
  status?: 'active' | 'passive';
}

/** Registers an application; returns it with its token. */
export async function register(slug: string, more: Registration = {}) {
  const made = await admin('POST', `/tenants/${slug}/applications`, {
    name: 'app',
    kind: 'storefront',
    ...more,
  });
  expect(made.status, JSON.stringify(made.body)).toBe(201);
  return made.body;
}
