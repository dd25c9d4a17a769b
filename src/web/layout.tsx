import type { Context } from 'hono';
import type { Child } from 'hono/jsx';
import type { App } from '../kernel/http/context.ts';
import type { FormError } from './api-client.ts';
import { areaOf, type Link, NOTES, type PageRequest, type View } from './page.ts';
import type { PanelUserSession } from './sessions/sessions.ts';
import { Summary } from './ui/form.tsx';

/** The Content-Security-Policy: our own files, and images over https. No inline script or style. */
export const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Sets the security headers of a page. */
export function safe(c: Context<App>): void {
  c.header('Content-Security-Policy', POLICY);
  c.header('X-Content-Type-Options', 'nosniff');
  // With "no-referrer", browsers would send "Origin: null" with our own forms.
  c.header('Referrer-Policy', 'same-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
}

const ADMIN: readonly Link[] = [
  ['/admin', 'Tenants'],
  ['/admin/health', 'Health'],
];

const DEMO: readonly Link[] = [
  ['/demo', 'Shop'],
  ['/demo/cart', 'Cart'],
  ['/demo/account', 'Account'],
];

const DEVELOPER: readonly Link[] = [
  ['/developer', 'Overview'],
  ['/developer/products', 'Products'],
  ['/developer/categories', 'Categories'],
  ['/developer/imports', 'Imports'],
  ['/developer/orders', 'Orders'],
  ['/developer/coupons', 'Coupons'],
  ['/developer/feeds', 'Feeds'],
  ['/developer/theme', 'Theme'],
  ['/developer/settings', 'Settings'],
  ['/developer/applications', 'Applications'],
  ['/developer/quick-start', 'Quick start'],
  ['/developer/request-log', 'Request log'],
  ['/developer/webhooks', 'Webhooks'],
];

/** Returns whether `href` is the navigation entry of a path: the longest entry that the path starts with. */
function isHere(path: string, href: string, items: readonly Link[]): boolean {
  const below = (base: string) => path === base || path.startsWith(`${base}/`);
  if (path.startsWith('/admin/tenants')) return href === '/admin';
  return below(href) && !items.some(([other]) => other.length > href.length && below(other));
}

const Nav = ({ path, items }: { path: string; items: readonly Link[] }) => (
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

/** The breadcrumbs. */
const Trail = ({ trail }: { trail: readonly Link[] }) => (
  <nav class="trail" aria-label="Breadcrumbs">
    {trail.map(([href, label]) => (
      <a href={href}>{label}</a>
    ))}
  </nav>
);

/** Returns whether the user may open a page and, if it holds the form that posts to its path, send that form. */
const mayOpen = ({ may }: Frame, href: string): boolean => may('get', href) && may('post', href);

/** The signed-in user's name, and the sign-out button. */
const SignedIn = ({ who, area }: { who: NonNullable<Frame['who']>; area: string }) => (
  <form method="post" action={`/${area}/sign-out`} class="who">
    <input type="hidden" name="_token" value={who.token} />
    <span>{who.name}</span>
    <button type="submit" class="quiet">
      Sign out
    </button>
  </form>
);

/** What the layout shows around a page. */
export interface Frame {
  readonly path: string;
  readonly area: 'admin' | 'developer' | 'demo';
  /** The name in the page header: the tenant's, or the platform's. */
  readonly place: string;
  /** The signed-in user, and the CSRF token of the sign-out form. */
  readonly who: { readonly name: string; readonly token: string } | null;
  /** A confirmation from the form that redirected here. */
  readonly note: string | undefined;
  /** Returns whether the user's role suffices for a page, so that links to others are left out. */
  readonly may: PageRequest['may'];
}

/** Returns the frame of a path, for a signed-in user or for anonymous requests. */
export function frameOf(path: string, request?: { guest: PanelUserSession; page: PageRequest }): Frame {
  const area = areaOf(path);
  const developer = request?.guest.developer;
  const name = developer?.user.name ?? (request?.guest.audience === 'admin' ? 'Super-admin' : null);
  return {
    path,
    area,
    place: developer?.tenant.name ?? (area === 'demo' ? 'Demo shop' : 'Storefront Edge'),
    who: request && name !== null ? { name, token: request.page.token } : null,
    note: Object.entries(NOTES).find(([key]) => key === request?.page.query('note'))?.[1],
    may: request?.page.may ?? (() => true),
  };
}

const ITEMS = { admin: ADMIN, developer: DEVELOPER, demo: DEMO } as const;

/** Returns the navigation page above a path, or the start page of its area. */
export function pageAbove(path: string): string {
  const area = areaOf(path);
  const [item] = ITEMS[area].filter(([href]) => href !== `/${area}` && `${path}/`.startsWith(`${href}/`));
  return item?.[0] ?? `/${area}`;
}

interface PageProps {
  readonly frame: Frame;
  readonly view: View;
  readonly trouble: FormError | null;
  /** Names of the submitted form fields. */
  readonly fields?: readonly string[];
}

const Head = ({ title, refresh }: { title: string; refresh: number | undefined }) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    <link rel="stylesheet" href="/panel-assets/panel.css" />
    <link rel="icon" href="/panel-assets/icon.svg" type="image/svg+xml" />
    <script src="/panel-assets/panel.js" defer></script>
    {refresh && (
      <noscript>
        <meta http-equiv="refresh" content={String(refresh)} />
      </noscript>
    )}
  </head>
);

/** A whole HTML page. Navigation is shown to signed-in users, and to everyone in the demo shop. */
export const Document = ({ frame, view, trouble, fields = [] }: PageProps): Child => {
  const { area, place, who, note } = frame;
  // "/new-coupon" belongs to the navigation entry of "/coupons".
  const path = frame.path.replace(/\/new-(\w+)$/, '/$1s');
  const items = who || area === 'demo' ? ITEMS[area].filter(([href]) => frame.may('get', href)) : [];
  return (
    <html lang="en">
      <Head title={`${trouble ? 'Error: ' : ''}${view.title} · ${place}`} refresh={view.refresh} />
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <p class="brand">{place}</p>
          {items.length > 0 && <Nav path={path} items={items} />}
          {who && <SignedIn who={who} area={area} />}
        </header>
        <main id="main" class={items.length > 0 ? undefined : 'narrow'}>
          {view.trail && <Trail trail={view.trail} />}
          <div class="title">
            <h1>{view.title}</h1>
            {view.action && mayOpen(frame, view.action[0]) && (
              <a class="button" href={view.action[0]}>
                {view.action[1]}
              </a>
            )}
          </div>
          {note && !trouble && (
            <p class="note" role="status">
              {note}
            </p>
          )}
          {trouble && <Summary trouble={trouble} fields={fields} />}
          {view.body}
        </main>
      </body>
    </html>
  );
};
