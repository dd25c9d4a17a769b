import type { Page } from '../web/index.ts';
import { addressPages } from './account/addresses.tsx';
import { entryPages } from './account/entry.tsx';
import { orderPages } from './account/orders.tsx';
import { cartPages } from './cart/actions.ts';
import { deliveryPages } from './cart/delivery.tsx';
import { thanksPage } from './cart/thanks.tsx';
import { withDocument } from './frame/with-document.tsx';
import { notFoundPage } from './not-found.tsx';
import { productPages } from './product/product-page.tsx';
import { homePage } from './shelf/home.tsx';
import { listPages } from './shelf/lists.tsx';
import { suggestionPage } from './shelf/suggestions.tsx';

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
