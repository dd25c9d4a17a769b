import { type PageRequest, pageAsked, type View } from '../../web/index.ts';

/** The pages that search engines list, those in parts apart: not those of a shopper's own, and not searches. */
const SHELVES = /^\/demo\/(?:products|categories\/[^/]+)$/;
const SINGLE = /^\/demo(?:\/products\/\d+)?$/;

interface PageTagsProps {
  readonly request: PageRequest;
  readonly view: View;
}

/** Returns the one address under which search engines list a page, whatever its filters and choices; null: they don't. */
function listedAddress({ request, view: { status = 200 } }: PageTagsProps): string | null {
  const { origin, pathname } = new URL(request.c.req.url);
  const isShelf = SHELVES.test(pathname);
  if (status >= 400 || !(isShelf || SINGLE.test(pathname))) return null;
  const page = isShelf ? pageAsked(request) : 1;
  return `${origin}${pathname}${page > 1 ? `?page=${page}` : ''}`;
}

/** Keeps a page out of search engines. */
export const NotListed = () => <meta name="robots" content="noindex" />;

/** What search engines read of a page in its head. */
export const PageTags = (props: PageTagsProps) => {
  const address = listedAddress(props);
  return address ? <link rel="canonical" href={address} /> : <NotListed />;
};
