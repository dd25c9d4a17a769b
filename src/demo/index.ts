import type { MiddlewareHandler } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { type Fetch, fetchPublic, type Page, setErrorDocument } from '../web/index.ts';
import { addressPages } from './account/addresses.tsx';
import { entryPages } from './account/entry.tsx';
import { orderPages } from './account/orders.tsx';
import { cartPages } from './cart/actions.ts';
import { deliveryPages } from './cart/delivery.tsx';
import { thanksPage } from './cart/thanks.tsx';
import { shopErrorDocument } from './frame/document.tsx';
import { withDocument } from './frame/with-document.tsx';
import { notFoundPage } from './not-found.tsx';
import { productPages } from './product/product-page.tsx';
import { homePage } from './shelf/home.tsx';
import { listPages } from './shelf/lists.tsx';
import { suggestionPage } from './shelf/suggestions.tsx';

export { demoStylesheet } from './frame/stylesheet.ts';

/** Every page of the demo storefront, in its own document. */
export const demoPages: readonly Page[] = [
  homePage,
  suggestionPage,
  ...listPages,
  ...productPages,
  ...cartPages,
  ...deliveryPages,
  thanksPage,
  ...entryPages,
  ...orderPages,
  ...addressPages,
  notFoundPage,
].map(withDocument);

/** Shows the errors of the shop's addresses in its own document: 403 and 413 of a form, 405, 500. */
export const demoErrors =
  (fetch: Fetch): MiddlewareHandler<App> =>
  (c, next) => {
    if (c.env.DEMO_TOKEN) {
      const inner = (url: string, init: RequestInit) => fetchPublic(c, fetch, new Request(url, init));
      setErrorDocument(c, shopErrorDocument({ c, fetch: inner }));
    }
    return next();
  };
