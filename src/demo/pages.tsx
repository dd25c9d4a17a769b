import { type FormError, getPage, type Page, type PageRequest, type View } from '../web/index.ts';
import { addressPages } from './account/addresses.tsx';
import { entryPages } from './account/entry.tsx';
import { orderPages } from './account/orders.tsx';
import { cartPages } from './cart/actions.tsx';
import { deliveryPages } from './cart/delivery.tsx';
import { thanksPage } from './cart/thanks.tsx';
import { shopDocument } from './frame/document.tsx';
import { productPages } from './product/product-page.tsx';
import { homePage } from './shelf/home.tsx';
import { listPages } from './shelf/lists.tsx';
import { suggestionPage } from './shelf/suggestions.tsx';

/** Returns the view of an error that is shown instead of the page. */
function errorView({ c }: PageRequest, { message, status, errors, retryAfter }: FormError): View {
  if (retryAfter) c.header('Retry-After', String(retryAfter));
  const isMissing = status === 404;
  const text = isMissing ? 'The address is wrong, or this was removed.' : message;
  return {
    title: isMissing ? 'Page not found' : 'This did not work',
    status,
    body: (
      <div class="lost">
        <p class="lead">{text}</p>
        {Object.entries(errors).map(([field, messages]) => (
          <p>
            {field}: {messages.join('; ')}
          </p>
        ))}
        <p>
          <a class="button" href="/demo">
            Go to the home page
          </a>
        </p>
      </div>
    ),
  };
}

/** Returns a page whose views are shown in the shop's document, unless they have one; its errors are views too. */
const withDocument = (page: Page): Page => ({
  ...page,
  show: async (request, formError) => {
    const shown = await page.show(request, formError);
    if ('to' in shown || 'file' in shown) return shown;
    if ('formError' in shown) return { document: shopDocument, ...errorView(request, shown.formError) };
    return { document: shopDocument, ...('view' in shown ? shown.view : shown) };
  },
});

const notFound = async () => ({
  title: 'Page not found',
  status: 404,
  body: (
    <div class="lost">
      <p class="lead">The address is wrong, or the page was removed. Search above, or have a look around.</p>
      <p>
        <a class="button" href="/demo">
          Go to the home page
        </a>{' '}
        <a href="/demo/products">All products</a>
      </p>
    </div>
  ),
});

const notFoundPage: Page = getPage({ path: '/demo/*', audience: 'anyone' }, notFound);

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
