import { getPage, type Page } from '../web/index.ts';

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

/** The page of the shop's unknown addresses. */
export const notFoundPage: Page = getPage({ path: '/demo/*', audience: 'anyone' }, notFound);
