/** The layout of the checkout pages. They contain no scripts, and JSX escapes every value. */
import type { Child } from 'hono/jsx';
import { drawnAtOnce } from '../../kernel/text/drawn-at-once.ts';
import type { ThemeOptions, ThemeStyle } from '../../theme/index.ts';
import { styleOf } from './style.ts';

/** The shop and theme of a page. */
export interface Branding {
  readonly shop: string;
  readonly theme: ThemeStyle & Pick<ThemeOptions, 'logo_url' | 'favicon_url'>;
  /** The CSP nonce of the style element. */
  readonly nonce: string;
}

interface FrameProps {
  readonly branding: Branding;
  readonly title: string;
  /** Whether the page says what to put right: its title says so first, as those of the panels and the demo shop. */
  readonly hasErrors?: boolean;
  /** Whether the page is one short column in the middle of the window. */
  readonly narrow?: boolean;
  readonly children: Child;
}

/** The layout of every page. */
export const Frame = ({ branding, title, hasErrors = false, narrow = false, children }: FrameProps) => (
  <html lang="en">
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width,initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <meta name="robots" content="noindex" />
      <title>{`${hasErrors ? 'Error: ' : ''}${title} – ${branding.shop}`}</title>
      {branding.theme.favicon_url ? <link rel="icon" href={branding.theme.favicon_url} /> : null}
      {drawnAtOnce('main')}
      <style nonce={branding.nonce} dangerouslySetInnerHTML={{ __html: styleOf(branding.theme) }} />
    </head>
    <body>
      <header>
        <div>
          {branding.theme.logo_url ? (
            <img src={branding.theme.logo_url} alt={branding.shop} />
          ) : (
            <p dir="auto">{branding.shop}</p>
          )}
        </div>
      </header>
      <main id="main" class={narrow ? 'narrow' : undefined}>
        <h1>{title}</h1>
        {children}
      </main>
    </body>
  </html>
);

/** Where the shopper goes on from a page. */
export interface NextStep {
  readonly label: string;
  readonly url: string;
}

/** The link to where the shopper goes on. */
export const NextLink = ({ step: { label, url } }: { step: NextStep }) => (
  <p>
    <a class="button" href={url}>
      {label}
    </a>
  </p>
);

/** A page with one message, and a link to where the shopper goes on. */
export const Notice = ({
  branding,
  title,
  text,
  next,
}: {
  branding: Branding;
  title: string;
  text: string;
  next: NextStep | null;
}) => (
  <Frame branding={branding} title={title} narrow>
    <p>{text}</p>
    {next === null ? null : <NextLink step={next} />}
  </Frame>
);
