import { raw } from 'hono/html';
import { clip, type PageRequest, pageAsked, type View } from '../../web/index.ts';

/** The pages that search engines list, those in parts apart: not those of a shopper's own, and not searches. */
const SHELVES = /^\/demo\/(?:products|categories\/[^/]+)$/;
const SINGLE = /^\/demo(?:\/products\/\d+)?$/;

/** The longest description of a page. */
export const MAX_TEXT_LENGTH = 160;

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

/** Structured data (https://schema.org) as JSON-LD, which no browser runs. */
const StructuredData = ({ of }: { of: object }) => {
  // A "<" could end the element.
  const json = JSON.stringify({ '@context': 'https://schema.org', ...of }).replaceAll('<', '\\u003c');
  return <script type="application/ld+json">{raw(json)}</script>;
};

/** Returns the breadcrumbs that a page shows in the terms of https://schema.org/BreadcrumbList. */
const breadcrumbs = (trail: NonNullable<View['trail']>, address: string) => ({
  '@type': 'BreadcrumbList',
  itemListElement: trail.map(([href, name], at) => ({
    '@type': 'ListItem',
    position: at + 1,
    name,
    item: new URL(href, address).href,
  })),
});

/** What search engines and social networks read of a page in its head: its address, Open Graph and structured data. */
export const PageTags = (props: PageTagsProps) => {
  const { title, description, image, product, trail } = props.view;
  const address = listedAddress(props);
  if (address === null) return <NotListed />;
  const properties = {
    type: product ? 'product' : 'website',
    url: address,
    title,
    description: description && clip(description, MAX_TEXT_LENGTH),
    image,
  };
  return (
    <>
      <link rel="canonical" href={address} />
      {Object.entries(properties).map(
        ([name, content]) => content && <meta property={`og:${name}`} content={content} />,
      )}
      {product && <StructuredData of={product} />}
      {trail && <StructuredData of={breadcrumbs(trail, address)} />}
    </>
  );
};
