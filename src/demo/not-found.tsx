import { getPage, type Page } from '../web/index.ts';

const notFound = async () => ({
  title: 'Page not found',
  status: 404,
  body: (
    <>
      <p class="lead">
        The address is wrong, or the page was removed. Search for what you want, or start again.
      </p>
      <p>
        <a class="button" href="/demo">
          Go to the home page
        </a>
      </p>
    </>
  ),
});

/** The page of the shop's unknown addresses. */
export const notFoundPage: Page = getPage({ path: '/demo/*', audience: 'anyone' }, notFound);
