import type { Page } from './page.ts';

/** Returns the page that serves a method and path, or `undefined`. */
export type FindPage = (method: Page['method'], path: string) => Page | undefined;

/** Returns a lookup over a list of pages. Like the router, it prefers the page that is listed first. */
export function indexPages(pages: readonly Page[]): FindPage {
  const patterns = pages.map((page) => {
    const pattern = new RegExp(`^${page.path.replace(/:\w+/g, '[^/]+')}$`);
    return { page, pattern };
  });
  return (method, path) =>
    patterns.find(({ page, pattern }) => page.method === method && pattern.test(path.split('?')[0] ?? ''))
      ?.page;
}
