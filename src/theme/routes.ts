import { setHeaders } from '../kernel/answer.ts';
import { cachedRead } from '../kernel/cache.ts';
import { database } from '../kernel/database.ts';
import { type Endpoint, endpoint } from '../kernel/endpoint.ts';
import { ok } from '../kernel/result.ts';
import { catalogMoved } from '../tenants/index.ts';
import { ThemeOptions, ThemePatch } from './schemas.ts';
import { patchTheme, readTheme } from './store.ts';

const get = endpoint(
  {
    method: 'get',
    path: '/v1/theme/options',
    tag: 'Theme',
    summary: 'Theme options of the tenant',
    access: 'theme:read',
    answer: ThemeOptions,
    cached: true,
  },
  (call) =>
    cachedRead(call, {
      key: '/theme/options',
      need: { scope: 'theme:read' },
      keep: 'kv',
      hot: true,
      fill: async (db) => {
        const { version, options } = await readTheme(db, call.caller.tenantId);
        return { version, answer: ok(options) };
      },
    }),
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/theme/options',
    tag: 'Theme',
    summary: 'Change theme options',
    description:
      'What is named is replaced, and null unsets it; of `colors`, each colour that is named is replaced.',
    access: 'theme:write',
    body: ThemePatch,
    answer: ThemeOptions,
  },
  async ({ c, env, caller, body }) => {
    const { version, options } = await patchTheme(database(env), caller.tenantId, body);
    await catalogMoved(env, caller.tenantId, version);
    setHeaders(c, { 'X-Catalog-Version': String(version) });
    return ok(options);
  },
);

/** Theme options: read by storefronts, changed by the tenant. */
export const themeEndpoints: readonly Endpoint[] = [get, patch];
