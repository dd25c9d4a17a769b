import { entityTag, ifMatch } from '../kernel/cache/cached-body.ts';
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

/** Returns the entity tag of a theme, which reads of it have as well. */
const tagOf = (options: ThemeOptions): string => entityTag(JSON.stringify(options));

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
    headers: { 'If-Match': 'Changes the theme only if it still has this `ETag`.' },
    errors: ['precondition_failed', 'conflict'],
    example: themeExamples.patch,
  },
  async (call) => {
    const { logo_url, favicon_url } = call.body;
    const local = refuseLocalUrls(call.env, Object.entries({ logo_url, favicon_url }));
    if (!local.ok) return local;
    const match = call.c.req.header('if-match');
    const expected = (before: ThemeOptions) => ifMatch(match, tagOf(before));
    const patched = await patchTheme(call, call.body, match === undefined ? null : expected);
    if (!patched.ok) return patched;
    const { version, options } = patched.value;
    setHeaders(call.c, { 'X-Catalog-Version': String(version), ETag: tagOf(options) });
    return ok(options);
  },
);

/** Theme options: read by storefronts, changed by the tenant. */
export const themeEndpoints: readonly Endpoint[] = [get, patch];
