import type { MiddlewareHandler } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { type Fetch, publicFetch, setErrorDocument } from '../../web/index.ts';
import { shopErrorDocument } from './document.tsx';

/** Shows the errors of the shop's addresses in its own document: 403 and 413 of a form, 405, 500. */
export const demoErrors =
  (fetch: Fetch): MiddlewareHandler<App> =>
  (c, next) => {
    if (c.env.DEMO_TOKEN) {
      setErrorDocument(c, shopErrorDocument({ c, fetch: publicFetch(c, fetch) }));
    }
    return next();
  };
