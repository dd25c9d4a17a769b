import type { FormError, Page, PageRequest, View } from '../../web/index.ts';
import { shopDocument } from './document.tsx';

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
export const withDocument = (page: Page): Page => ({
  ...page,
  show: async (request, formError) => {
    const shown = await page.show(request, formError);
    if ('to' in shown || 'file' in shown) return shown;
    if ('formError' in shown) return { document: shopDocument, ...errorView(request, shown.formError) };
    return { document: shopDocument, ...('view' in shown ? shown.view : shown) };
  },
});
