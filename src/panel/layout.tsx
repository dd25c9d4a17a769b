import type { Child } from 'hono/jsx';
import type { Trouble } from './api.ts';
import { NOTES, type View, type Visit } from './page.ts';

/** What may be loaded: our own files, and pictures over https. No inline script, no inline style. */
export const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** A link of the navigation. */
type Item = readonly [href: string, label: string];

const ADMIN: readonly Item[] = [
  ['/admin', 'Tenants'],
  ['/admin/health', 'Health'],
];

const DEMO: readonly Item[] = [
  ['/demo', 'Shop'],
  ['/demo/cart', 'Cart'],
];

const DEVELOPER: readonly Item[] = [
  ['/developer', 'Overview'],
  ['/developer/products', 'Products'],
  ['/developer/imports', 'Import'],
  ['/developer/orders', 'Orders'],
  ['/developer/coupons', 'Coupons'],
  ['/developer/theme', 'Theme'],
  ['/developer/settings', 'Settings'],
  ['/developer/applications', 'Applications'],
  ['/developer/webhooks', 'Webhooks'],
];

/** Which link is the page's own: the longest that its path begins with. */
function isHere(path: string, href: string, items: readonly Item[]): boolean {
  const below = (base: string) => path === base || path.startsWith(`${base}/`);
  if (path.startsWith('/admin/tenants') || path === '/admin/new-tenant') return href === '/admin';
  return below(href) && !items.some(([other]) => other.length > href.length && below(other));
}

const Nav = ({ path, items }: { path: string; items: readonly Item[] }) => (
  <nav aria-label="Main">
    <ul>
      {items.map(([href, label]) => (
        <li>
          <a href={href} aria-current={isHere(path, href, items) ? 'page' : undefined}>
            {label}
          </a>
        </li>
      ))}
    </ul>
  </nav>
);

/** What is wrong with a form, with links to its fields. */
const Summary = ({ trouble }: { trouble: Trouble }) => {
  const fields = Object.entries(trouble.errors);
  return (
    <div class="summary" role="alert" tabindex={-1} id="summary">
      <h2>That did not work</h2>
      <p>{trouble.message}</p>
      {fields.length > 0 && (
        <ul>
          {fields.map(([field, messages]) => (
            <li>
              <a href={`#f-${field}`}>
                {field}: {messages.join('; ')}
              </a>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
};

/** Who is signed in, with the button that ends it. */
const SignedIn = ({ visit, area, name }: { visit: Visit; area: string; name: string }) => (
  <form method="post" action={`/${area}/sign-out`} class="who">
    <input type="hidden" name="_token" value={visit.token} />
    <span>{name}</span>
    <button type="submit" class="quiet">
      Sign out
    </button>
  </form>
);

interface PageProps {
  readonly visit: Visit;
  readonly view: View;
  readonly trouble: Trouble | null;
  /** Whose navigation is shown; none before signing in. */
  readonly area: 'admin' | 'developer' | null;
}

/** A whole page. */
export const Document = ({ visit, view, trouble, area }: PageProps): Child => {
  const { path } = visit.c.req;
  const note = Object.entries(NOTES).find(([key]) => key === visit.query('note'))?.[1];
  const demo = path === '/demo' || path.startsWith('/demo/');
  const items = demo ? DEMO : area === 'admin' ? ADMIN : area === 'developer' ? DEVELOPER : [];
  const place = area === 'developer' ? visit.developer.tenant.name : demo ? 'Demo shop' : 'Storefront Edge';
  return (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{`${trouble ? 'Error: ' : ''}${view.title} · ${place}`}</title>
        <link rel="stylesheet" href="/panel-assets/panel.css" />
        <link rel="icon" href="/panel-assets/icon.svg" type="image/svg+xml" />
        <script src="/panel-assets/panel.js" defer></script>
        {view.refresh && (
          <noscript>
            <meta http-equiv="refresh" content={String(view.refresh)} />
          </noscript>
        )}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <p class="brand">{place}</p>
          {items.length > 0 && <Nav path={path} items={items} />}
          {area && (
            <SignedIn
              visit={visit}
              area={area}
              name={area === 'admin' ? 'Super-admin' : visit.developer.user.name}
            />
          )}
        </header>
        <main id="main" class={items.length > 0 ? undefined : 'narrow'}>
          <h1>{view.title}</h1>
          {note && !trouble && (
            <p class="note" role="status">
              {note}
            </p>
          )}
          {trouble && <Summary trouble={trouble} />}
          {view.body}
        </main>
      </body>
    </html>
  );
};
