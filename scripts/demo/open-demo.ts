import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ApiError, type Client, client } from '../dev/client.ts';
import { fillShop } from './fill-shop.ts';
import { PRODUCTS, TENANT } from './index.ts';

/** State stored beside the data, so that the next start reuses the tokens. */
interface DemoState {
  readonly token: string;
  /** The token of the demo storefront at /demo, with a storefront's scopes only. */
  readonly storefront: string;
  /** Whether the shop was filled once. It is not filled again, so deleted products stay deleted. */
  readonly filled: boolean;
}

/** The demo tenant's tokens. */
export type DemoTokens = Pick<DemoState, 'token' | 'storefront'>;

const APPLICATIONS = {
  token: { name: 'Demo', kind: 'integration' },
  storefront: { name: 'Demo storefront', kind: 'storefront' },
} as const;

/**
 * Returns the demo tenant's tokens; creates and fills the tenant in the service at `base` if needed. Stores the
 * tokens in `folder`, and rotates one that is lost or rejected. Idempotent: continues an interrupted start.
 */
export async function openDemo(base: string, adminToken: string, folder: string): Promise<DemoTokens> {
  const file = join(folder, 'demo.json');
  const admin = client(base, adminToken);
  // Where the databases were deleted, what was stored beside them is of a tenant that is gone.
  if (await createTenant(admin)) rmSync(file, { force: true });
  const kept = read(file);
  const ifValid = async (token: string | undefined): Promise<string | null> =>
    token && (await isValid(base, token)) ? token : null;
  const token = (await ifValid(kept?.token)) ?? (await obtain(admin, APPLICATIONS.token));
  const storefront = (await ifValid(kept?.storefront)) ?? (await obtain(admin, APPLICATIONS.storefront));
  const known = client(base, token);
  await nameShopPages(known, base);
  const filled = kept?.filled || (await countProducts(known)) >= PRODUCTS.length;
  if (kept?.token !== token || kept.storefront !== storefront || !filled) {
    keep(folder, file, { token, storefront, filled });
  }
  if (filled) return { token, storefront };
  console.log(`Filling the demo shop with ${PRODUCTS.length} products …`);
  await fillShop(known);
  keep(folder, file, { token, storefront, filled: true });
  return { token, storefront };
}

/** What `npm run dev` names as the first page of the demo shop, at whatever port it ran. */
const DEMO_HOME = /^http:\/\/127\.0\.0\.1:\d+\/demo$/;

/**
 * Names the demo shop's own pages as those where agents send shoppers, unless the tenant has others. Without
 * `DEV_ALLOW_LOCAL_URLS` the service takes only https, and they stay unnamed.
 */
async function nameShopPages(api: Client, base: string): Promise<void> {
  const { ucp } = await api<{ ucp?: { storefront_url?: string | null } }>('GET', '/v1/settings');
  const storefront_url = `${base}/demo`;
  const before = ucp?.storefront_url ?? null;
  if (!ucp || before === storefront_url || (before !== null && !DEMO_HOME.test(before))) return;
  const pages = { storefront_url, product_url: `${base}/demo/products/{id}?variant={variant_id}` };
  await api('PATCH', '/v1/settings', { ucp: { ...ucp, ...pages } }).catch(unless('validation_error'));
}

/** Starts a background rebuild of the demo tenant's search index. */
export const rebuildSearch = (base: string, adminToken: string): Promise<unknown> =>
  client(base, adminToken)('POST', `/admin/v1/tenants/${TENANT.slug}/search-rebuilds`);

function read(file: string): DemoState | null {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/** Stores the state. A .gitignore keeps the tokens out of git, unless the folder has one of its own. */
function keep(folder: string, file: string, kept: DemoState): void {
  mkdirSync(folder, { recursive: true });
  const ignored = join(folder, '.gitignore');
  if (!existsSync(ignored)) writeFileSync(ignored, '*\n');
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`, { mode: 0o600 });
}

const countProducts = async (api: Client): Promise<number> =>
  (await api<{ meta: { total: number } }>('GET', '/v1/products?limit=1&status=all')).meta.total;

/** Returns whether the service at `base` accepts the token, and its tenant isn't suspended. */
export const isValid = (base: string, token: string): Promise<boolean> =>
  client(base, token)('GET', '/v1/products?limit=1').then(
    () => true,
    (error) => {
      if (!(error instanceof ApiError)) throw error;
      if (error.status === 401 || error.code === 'tenant_suspended') return false;
      throw error;
    },
  );

const TENANTS = '/admin/v1/tenants';

/** Creates the demo tenant. Returns whether there was none. */
const createTenant = (admin: Client): Promise<boolean> =>
  admin('POST', TENANTS, TENANT).then(
    () => true,
    (error) => {
      unless('slug_taken')(error);
      return false;
    },
  );

/**
 * Creates the tenant and an application, or rotates the token of an existing application. Activates both where somebody
 * has switched them off. Returns the token.
 */
export async function obtain(
  admin: Client,
  wanted: { name: string; kind: string; server_side?: boolean },
): Promise<string> {
  const [tenant, active] = [`${TENANTS}/${TENANT.slug}`, { status: 'active' }];
  await createTenant(admin);
  await admin('PATCH', tenant, active);
  const applications = `${tenant}/applications`;
  const { data } = await admin<{ data: { id: number; name: string }[] }>('GET', `${applications}?limit=100`);
  const known = data.find((application) => application.name === wanted.name);
  if (!known) return (await admin<{ token: string }>('POST', applications, wanted)).token;
  await admin('PATCH', `${applications}/${known.id}`, active);
  return (await admin<{ token: string }>('POST', `${applications}/${known.id}/rotate`)).token;
}

const unless = (code: string) => (error: unknown) => {
  if (!(error instanceof ApiError && error.code === code)) throw error;
};
