import { cachedRead } from '../kernel/cache/versioned-cache.ts';
import { ok } from '../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { setHeaders } from '../kernel/http/response.ts';
import { refuseLocalUrls } from '../kernel/text/local-url.ts';
import { themeExamples } from './examples.ts';
import { ThemeOptions, ThemePatch } from './schemas.ts';
import { patchTheme, readTheme } from './store.ts';

const get = endpoint(
  {
    method: 'get',
    path: '/v1/theme/options',
    id: 'getThemeOptions',
    tag: 'Theme',
    summary: "Get the tenant's theme options",
    access: 'theme:read',
    answer: ThemeOptions,
    cached: true,
    example: themeExamples.get,
  },
  (call) =>
    cachedRead(call, {
      key: '/theme/options',
      need: { scope: 'theme:read' },
      keep: 'kv',
      hot: true,
      fill: async (from) => {
        const { version, options } = await readTheme(from);
        return { version, answer: ok(options) };
      },
    }),
);

const patch = endpoint(
  {
    method: 'patch',
    path: '/v1/theme/options',
    id: 'updateThemeOptions',
    tag: 'Theme',
    summary: 'Change theme options',
    description:
      'JSON merge patch (RFC 7396): replaces the given options, and null unsets an option. `colors` is merged, colour by colour.',
    access: 'theme:write',
    body: ThemePatch,
    answer: ThemeOptions,
    example: themeExamples.patch,
  },
  async (call) => {
    const { logo_url, favicon_url } = call.body;
    const local = refuseLocalUrls(call.env, Object.entries({ logo_url, favicon_url }));
    if (!local.ok) return local;
    const { version, options } = await patchTheme(call, call.body);
    setHeaders(call.c, { 'X-Catalog-Version': String(version) });
    return ok(options);
  },
);

/** Theme options: read by storefronts, changed by the tenant. */
export const themeEndpoints: readonly Endpoint[] = [get, patch];
