import type { Context } from 'hono';
import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import type { App } from '../kernel/http/context.ts';
import { transportHeaders } from '../kernel/http/https.ts';
import { drawnAtOnce } from '../kernel/text/drawn-at-once.ts';
import type { FormError } from './api-client.ts';
import { Summary } from './forms/summary.tsx';
import { Navigation, PanelSearch } from './navigation.tsx';
import {
  type Area,
  areaOf,
  type FieldLabels,
  type Link,
  mayOpen,
  noteOf,
  type PageRequest,
  type View,
} from './page.ts';
import type { PanelUserSession } from './sessions/sessions.ts';
import { clip } from './ui/components.tsx';
import { PartLinks, type PartName, UsedParts } from './ui/part.tsx';

/** The Content-Security-Policy: our own files, and images over https. No inline script or style. */
const POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' https: data:; connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'";

/** Sets the security headers of a page. */
export function setSecurityHeaders(c: Context<App>): void {
  c.header('Content-Security-Policy', POLICY);
  c.header('X-Content-Type-Options', 'nosniff');
  // With "no-referrer", browsers would send "Origin: null" with our own forms.
  c.header('Referrer-Policy', 'same-origin');
  c.header('Cross-Origin-Opener-Policy', 'same-origin');
  for (const [name, value] of Object.entries(transportHeaders(c.req.url))) c.header(name, value);
}

const Trail = ({ trail }: { trail: readonly Link[] }) => (
  <nav class="trail" aria-label="Breadcrumbs">
    {trail.map(([href, label]) => (
      <a href={href}>{label}</a>
    ))}
  </nav>
);

/** The signed-in user's name, and the sign-out button. */
const SignedIn = ({ who, area }: { who: NonNullable<Frame['who']>; area: string }) => (
  <form method="post" action={`/${area}/sign-out`} class="who">
    <input type="hidden" name="_token" value={who.token} />
    {area === 'developer' ? <a href="/developer/account">{who.name}</a> : <span>{who.name}</span>}
    <button type="submit" class="quiet">
      Sign out
    </button>
  </form>
);

/** What the layout shows around a page. */
export interface Frame {
  readonly path: string;
  readonly area: Area;
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
export function frameOf(path: string, request?: { session: PanelUserSession; page: PageRequest }): Frame {
  const area = areaOf(path);
  const developer = request?.session.developer;
  const name = developer?.user.name ?? (request?.session.audience === 'admin' ? 'Super-admin' : null);
  return {
    path,
    area,
    place: developer?.tenant.name ?? 'Storefront Edge',
    who: request && name !== null ? { name, token: request.page.token } : null,
    note: request && noteOf(request.page),
    may: request?.page.may ?? (() => true),
  };
}

interface PageProps {
  readonly frame: Frame;
  readonly view: View;
  readonly formError: FormError | null;
  /** Receives the labels of the page's fields while its body is rendered. */
  readonly labels?: FieldLabels;
}

/** Longest title of a page in the browser's tab, in UTF-16 units; tabs show less. */
const MAX_TAB_TITLE = 36;

const tabTitle = ({ title, section }: View): string =>
  [section, clip(title, MAX_TAB_TITLE)].filter(Boolean).join(' · ');

interface HeadProps {
  readonly title: string;
  readonly view: View;
  readonly parts: ReadonlySet<PartName>;
}

const Head = ({ title, view, parts }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    <link rel="stylesheet" href="/panel-assets/panel.css" />
    <link rel="icon" href="/panel-assets/icon.svg" />
    <script src="/panel-assets/panel.js" defer></script>
    {drawnAtOnce('main')}
    <PartLinks used={parts} />
    {view.refresh && (
      <noscript>
        <meta http-equiv="refresh" content={String(view.refresh)} />
      </noscript>
    )}
  </head>
);

/** The shop's name, the menu and the signed-in user: a side bar on desktop, a bar with a menu on phones. */
const Top = ({ frame: { path, area, place, who, may } }: { frame: Frame }) => (
  <header class="top">
    {who && (
      <button type="button" class="burger" popovertarget="menu">
        Menu
      </button>
    )}
    <p class="brand">{place}</p>
    {who && (
      <div class="side" id="menu" popover="auto">
        <PanelSearch path={path} />
        <Navigation path={path} may={may} />
        <SignedIn who={who} area={area} />
      </div>
    )}
  </header>
);

const Heading = ({ frame, view }: { frame: Frame; view: View }) => {
  const { title, trail, action, actions = [] } = view;
  const secondary = actions.filter(([href]) => mayOpen(frame, href));
  const primary = action && mayOpen(frame, action[0]) ? action : null;
  return (
    <>
      {trail && <Trail trail={trail} />}
      <div class="title">
        <h1>{title}</h1>
        {(primary || secondary.length > 0) && (
          <p class="actions">
            {secondary.map(([href, label]) => (
              <a class="button secondary" href={href}>
                {label}
              </a>
            ))}
            {primary && (
              <a class="button" href={primary[0]}>
                {primary[1]}
              </a>
            )}
          </p>
        )}
      </div>
    </>
  );
};

/** A whole HTML page of the panels. Navigation is shown to signed-in users. */
export const Document = ({ frame, view, formError, labels = new Map() }: PageProps): Child => {
  const { place, who, note } = frame;
  // The body is rendered first: the summary above it shows the labels of its fields, the head links its parts.
  const parts = new Set<PartName>(who ? [] : ['plain']);
  const body = raw(String(<UsedParts.Provider value={parts}>{view.body}</UsedParts.Provider>));
  return (
    <html lang="en">
      <Head title={`${formError ? 'Error: ' : ''}${tabTitle(view)} · ${place}`} view={view} parts={parts} />
      <body class={who ? 'framed' : 'plain'}>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <Top frame={frame} />
        <main id="main">
          <Heading frame={frame} view={view} />
          {note && !formError && (
            <p class="note good" role="status" tabindex={-1}>
              {note}
            </p>
          )}
          {formError && <Summary formError={formError} labels={labels} />}
          {body}
        </main>
      </body>
    </html>
  );
};
