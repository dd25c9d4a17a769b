import { raw } from 'hono/html';
import { type Child, Fragment } from 'hono/jsx';
import type { Schemas } from '../../../client/src/index.ts';
import {
  clip,
  type DocumentOf,
  type ErrorDocument,
  type FormError,
  noteOf,
  type PageRequest,
  Summary,
  type View,
} from '../../web/index.ts';
import { Head } from './head.tsx';
import { Icon } from './icons.tsx';
import { NotListed, PageTags } from './page-tags.tsx';
import { itemCount, type ShopRequest, shopOf } from './session.ts';
import { type ShopFrame, shopFrame } from './shop-frame.ts';

type Category = Schemas['Category'];

/** Categories in the header and the footer. */
const MAX_CATEGORIES = 7;
const MAX_NAME_LENGTH = 40;

const ACCOUNT_LINKS = [
  ['/demo/account', 'Orders'],
  ['/demo/account/addresses', 'Addresses'],
  ['/demo/cart', 'Cart'],
] as const;

/** The name of a shop whose theme can't be read. */
const NO_NAME = 'Demo shop';

const SearchField = ({ q }: { q: string }) => (
  <search>
    <form action="/demo/search">
      <input
        name="q"
        type="search"
        value={q}
        placeholder="Search products"
        aria-label="Search the shop"
        maxlength={100}
        dir="auto"
        autocomplete="off"
        required
      />
      <button type="submit">
        <Icon of="search" />
        <span class="hidden">Search</span>
      </button>
    </form>
    <div class="suggestions" data-suggestions hidden></div>
  </search>
);

const CategoryLinks = ({ tree, path }: { tree: readonly Category[]; path: string }) => (
  <ul>
    {tree.slice(0, MAX_CATEGORIES).map(({ slug, name }) => (
      <li>
        <a
          href={`/demo/categories/${slug}`}
          aria-current={path === `/demo/categories/${slug}` ? 'page' : undefined}
          dir="auto"
        >
          {clip(name, MAX_NAME_LENGTH)}
        </a>
      </li>
    ))}
    <li>
      <a href="/demo/products" aria-current={path === '/demo/products' ? 'page' : undefined}>
        All products
      </a>
    </li>
  </ul>
);

const Header = ({ request, frame, name }: { request: ShopRequest; frame: ShopFrame; name: string }) => {
  const { path } = request.c.req;
  const here = (href: string) => (path.startsWith(href) ? 'page' : undefined);
  const count = itemCount(request);
  return (
    <header class="top">
      <div class="wrap">
        <a class="brand" href="/demo" dir="auto">
          {frame.theme?.logo_url ? <img src={frame.theme.logo_url} alt={name} height={36} /> : name}
        </a>
        <SearchField q={path === '/demo/search' ? (request.c.req.query('q') ?? '') : ''} />
        <nav aria-label="Your shop" class="yours">
          <a href="/demo/account" aria-current={here('/demo/account')}>
            <Icon of="account" />
            <span>{shopOf(request).session.customerToken ? 'Account' : 'Sign in'}</span>
          </a>
          <a href="/demo/cart" aria-current={here('/demo/cart')}>
            <Icon of="cart" />
            <span>Cart</span> {count > 0 && <span class="count">{count}</span>}
          </a>
        </nav>
      </div>
      <nav aria-label="Categories" class="categories wrap">
        <CategoryLinks tree={frame.tree} path={path} />
      </nav>
    </header>
  );
};

const Footer = ({ frame, name }: { frame: ShopFrame; name: string }) => (
  <footer id="foot" class="foot">
    <div class="wrap">
      <div>
        <p class="brand" dir="auto">
          {name}
        </p>
        <p class="soft">A demo of Storefront Edge. Payments are tests, and nothing is delivered.</p>
      </div>
      <nav aria-labelledby="foot-shop">
        <h2 id="foot-shop">Shop</h2>
        <CategoryLinks tree={frame.tree} path="" />
      </nav>
      <nav aria-labelledby="foot-account">
        <h2 id="foot-account">Your account</h2>
        <ul>
          {ACCOUNT_LINKS.map(([href, label]) => (
            <li>
              <a href={href}>{label}</a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  </footer>
);

const Trail = ({ trail }: { trail: View['trail'] }) =>
  trail ? (
    <nav class="trail" aria-label="Breadcrumbs">
      <ol>
        {trail.map(([href, label]) => (
          <li>
            <a href={href} dir="auto">
              {clip(label, MAX_NAME_LENGTH)}
            </a>
          </li>
        ))}
      </ol>
    </nav>
  ) : null;

interface MainProps {
  readonly request: PageRequest;
  readonly view: View;
  readonly formError: FormError | null;
}

const Main = ({ request, view, formError }: MainProps) => {
  // The summary stands above the fields whose labels it shows, so the fields are rendered first.
  const body = raw(String(Fragment({ children: [view.body] })));
  const note = noteOf(request);
  return (
    <main id="main" class="wrap">
      <Trail trail={view.trail} />
      {!view.ownHeading && <h1 dir="auto">{view.title}</h1>}
      {note && !formError && (
        <p class="note" role="status" tabindex={-1}>
          {note}
        </p>
      )}
      {formError && <Summary formError={formError} labels={request.labels} />}
      {body}
    </main>
  );
};

interface ShellProps {
  readonly request: ShopRequest;
  readonly frame: ShopFrame;
  readonly title: string;
  /** A sentence about the page, for search engines. */
  readonly text?: string | undefined;
  /** What search engines and social networks read of the page. */
  readonly tags: Child;
  readonly children: Child;
}

/** A document of the shop: in the tenant's theme, with its categories, the cart and the footer. */
const Shell = ({ request, frame, title, text, tags, children }: ShellProps) => {
  const name = frame.theme?.shop_name ?? NO_NAME;
  return (
    <html lang="en">
      <Head
        path={request.c.req.path}
        title={title.endsWith(name) ? title : `${title} · ${name}`}
        frame={frame}
        text={text}
        tags={tags}
      />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Header request={request} frame={frame} name={name} />
        {children}
        <Footer frame={frame} name={name} />
      </body>
    </html>
  );
};

/** Renders a page of the shop. */
export const shopDocument: DocumentOf = async (request, view, formError): Promise<Child> => {
  const frame = await shopFrame(request);
  const main = <Main request={request} view={view} formError={formError} />;
  const title = `${formError ? 'Error: ' : ''}${view.title}`;
  return (
    <Shell
      request={request}
      frame={frame}
      title={title}
      text={view.description}
      tags={<PageTags request={request} view={view} />}
    >
      {main}
    </Shell>
  );
};

/** Renders an error page of the shop. */
export const shopErrorDocument =
  (request: ShopRequest): ErrorDocument =>
  async ({ title, body }) => (
    <Shell request={request} frame={await shopFrame(request)} title={title} tags={<NotListed />}>
      <main id="main" class="wrap">
        <h1>{title}</h1>
        <div class="lost">{body}</div>
      </main>
    </Shell>
  );

/** Renders a page's body alone, for a script that puts it into another page. */
export const fragment: DocumentOf = async (_, { body }) => body;
