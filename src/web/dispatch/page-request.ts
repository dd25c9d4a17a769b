import type { Context } from 'hono';
import { audited } from '../../audit/index.ts';
import type { App } from '../../kernel/http/context.ts';
import { type Fetch, publicFetch } from '../api-client.ts';
import type { InnerApi } from '../inner-api.ts';
import { leastRole, type Page, type PageRequest } from '../page.ts';
import { formTokens, type Ticket } from '../sessions/cookie.ts';
import type { Developer } from '../sessions/people.ts';
import { isAtLeast } from '../sessions/roles.ts';
import type { PanelUserSession } from '../sessions/sessions.ts';
import { readHint, type TenantHint } from '../sessions/tenant-hint.ts';
import { changerOf } from './record-change.ts';

/** Returns the page that serves a method and path, or `undefined`. */
type FindPage = (method: Page['method'], path: string) => Page | undefined;

/** Returns a lookup over a list of pages. Like the router, it prefers the page that is listed first. */
export function indexPages(pages: readonly Page[]): FindPage {
  const patterns = pages.map((page) => {
    const pattern = new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`);
    return { page, pattern };
  });
  return (method, path) =>
    patterns.find(({ page, pattern }) => page.method === method && pattern.test(path.split('?')[0] ?? ''))
      ?.page;
}

/** What pages reach: the API (in process, and through the public router), and each other. */
export interface Api {
  readonly inner: InnerApi;
  readonly fetch: Fetch;
  readonly find: FindPage;
}

interface RequestParts {
  readonly c: Context<App>;
  readonly env: Env;
  readonly api: Api;
  readonly ticket: Ticket;
  /** Null if the request has no valid session; a page is rendered while it is read. */
  readonly session: Promise<PanelUserSession | null>;
  readonly sent: PageRequest['sent'];
}

/** Returns the request that a page is shown or a form is handled for. */
export function pageRequest(parts: RequestParts): PageRequest {
  const { c, env, api, ticket, session, sent } = parts;
  const hint = readHint(ticket.note);
  const role = hint?.role ?? 'owner';
  if (hint) c.set('tenantId', hint.id);
  return {
    c,
    env,
    get tenant() {
      return tenantOf(c, hint);
    },
    may: (method, path) => {
      const page = api.find(method, path);
      return !page || isAtLeast(role, leastRole(page));
    },
    developer: async (): Promise<Developer> => {
      const developer = (await session)?.developer;
      if (!developer) throw new Error(`${c.req.path} read the developer outside the developer panel`);
      return developer;
    },
    token: formTokens(c.env, ticket.id)[0] ?? '',
    param: (name) => {
      const value = c.req.param(name);
      if (value === undefined) throw new Error(`${c.req.path} has no parameter ${name}`);
      return value;
    },
    query: (name) => c.req.query(name) ?? '',
    labels: new Map(),
    sent,
    ...callsOf(parts, hint),
  };
}

function tenantOf(c: Context<App>, hint: TenantHint | null): TenantHint {
  if (!hint) throw new Error(`${c.req.path} read the tenant outside the developer panel`);
  return hint;
}

/** Returns how a page reaches the API, and makes changes without it. */
function callsOf(
  { c, env, api, session }: RequestParts,
  hint: TenantHint | null,
): Pick<PageRequest, 'api' | 'download' | 'fetch' | 'platform' | 'audited'> {
  const page = { c, env, changer: async () => changerOf(await session) };
  return {
    api: (call) => api.inner.tenant(page, tenantOf(c, hint), call),
    download: (path, accept) => api.inner.download(page, tenantOf(c, hint), { path, accept }),
    fetch: publicFetch(c, api.fetch),
    // A cookie with a hint is a developer's, who may reach only their own tenant.
    platform: (slug, call) => api.inner.platform(page, hint?.slug ?? slug, call),
    audited: async ({ action, subject, changes = [], tenant = null, by }) => {
      const changer = by ?? (await page.changer());
      if (!changer) throw new Error(`${c.req.path} changes something without a session`);
      const place = { tenant: hint?.id ?? tenant, requestId: c.get('requestId') };
      return audited(env, { ...changer, action, subject, changes, ...place });
    },
  };
}
