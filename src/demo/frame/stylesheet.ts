import { Hono } from 'hono';
import type { Schemas } from '../../../client/src/index.ts';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import type { App } from '../../kernel/http/context.ts';
import { readOnly } from '../../kernel/http/problem.ts';
import { respond } from '../../kernel/http/response.ts';
import { themeProperties } from '../../theme/index.ts';
import { type Fetch, publicFetch } from '../../web/index.ts';
import { attempt } from './attempt.ts';
import { demoClient } from './session.ts';

type Theme = Schemas['ThemeOptions'];

const VERSION_LENGTH = 12;
const PATH = '/demo/theme.css';

const versionOf = (css: string): string => sha256(css).slice(0, VERSION_LENGTH);

/** Returns the address of a theme's stylesheet, which changes with the theme. */
export const stylesheetUrl = (theme: Theme | null): string =>
  theme ? `${PATH}?v=${versionOf(themeProperties(theme))}` : PATH;

/**
 * The stylesheet with the theme's colours and font: cached for good under its version, and for a minute otherwise.
 * Empty when the theme can't be read; the shop's own stylesheet has defaults.
 */
export const demoStylesheet = (fetch: Fetch): Hono<App> => {
  const app = new Hono<App>();
  app.get(PATH, async (c) => {
    if (!c.env.DEMO_TOKEN) return c.notFound();
    const client = demoClient(c, { fetch: publicFetch(c, fetch) });
    const theme = await attempt(client.theme.getOptions());
    const css = theme.ok ? themeProperties(theme.value) : '';
    const current = css !== '' && c.req.query('v') === versionOf(css);
    const headers = {
      'Content-Type': 'text/css; charset=utf-8',
      'X-Content-Type-Options': 'nosniff',
      'Cache-Control': current ? 'public, max-age=31536000, immutable' : 'public, max-age=60',
    };
    return respond(c, css, { status: 200, headers });
  });
  app.all(PATH, readOnly);
  return app;
};
