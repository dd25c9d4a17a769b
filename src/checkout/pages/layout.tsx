/** The checkout pages as HTML. No script runs in them; whatever is shown is escaped by JSX. */
import type { Child } from 'hono/jsx';
import type { ThemeOptions } from '../../theme/index.ts';
import { styleOf } from './style.ts';

/** The shop that a page belongs to. */
export interface Branding {
  readonly shop: string;
  readonly theme: ThemeOptions;
  /** Of the one style element (CSP level 3). */
  readonly nonce: string;
}

/** The frame of every page. */
export const Frame = ({ face, title, children }: { face: Branding; title: string; children: Child }) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <meta name="robots" content="noindex" />
      <title>{`${title} – ${face.shop}`}</title>
      {face.theme.favicon_url ? <link rel="icon" href={face.theme.favicon_url} /> : null}
      <style nonce={face.nonce} dangerouslySetInnerHTML={{ __html: styleOf(face.theme) }} />
    </head>
    <body>
      <header>
        <div>
          {face.theme.logo_url ? <img src={face.theme.logo_url} alt={face.shop} /> : <p>{face.shop}</p>}
        </div>
      </header>
      <main>
        <h1>{title}</h1>
        {children}
      </main>
    </body>
  </html>
);

/** A page that says one thing and leads back to the shop. */
export const Notice = ({
  face,
  title,
  text,
  back,
}: {
  face: Branding;
  title: string;
  text: string;
  back: string | null;
}) => (
  <Frame face={face} title={title}>
    <p>{text}</p>
    {back === null ? null : (
      <p>
        <a class="button" href={back}>
          Back to the shop
        </a>
      </p>
    )}
  </Frame>
);
