import type { Child } from 'hono/jsx';
import { drawnAtOnce } from '../../kernel/text/drawn-at-once.ts';
import { clip } from '../../web/index.ts';
import { MAX_TEXT_LENGTH } from './page-tags.tsx';
import type { ShopFrame } from './shop-frame.ts';
import { stylesheetUrl } from './stylesheet.ts';

/** Returns the stylesheets that a page needs beside the shop's own. */
function stylesheetsOf(path: string): readonly string[] {
  if (/^\/demo\/(?:cart|checkout|account|thanks)/.test(path)) return ['demo-account'];
  return path.startsWith('/demo/products/') ? ['demo-lists', 'demo-product'] : ['demo-lists'];
}

interface HeadProps {
  readonly path: string;
  readonly title: string;
  readonly frame: ShopFrame;
  /** A sentence about the page, for search engines. */
  readonly text: string | undefined;
  /** What search engines and social networks read of the page. */
  readonly tags: Child;
}

/** The head of a page of the shop. */
export const Head = ({ path, title, frame, text, tags }: HeadProps) => (
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="light dark" />
    <title>{title}</title>
    {text && <meta name="description" content={clip(text, MAX_TEXT_LENGTH)} />}
    {tags}
    {['demo', ...stylesheetsOf(path)].map((name) => (
      <link rel="stylesheet" href={`/panel-assets/${name}.css`} />
    ))}
    <link rel="stylesheet" href={stylesheetUrl(frame.theme)} />
    <link rel="icon" href={frame.theme?.favicon_url ?? '/panel-assets/icon.svg'} />
    <script src="/panel-assets/demo.js" defer></script>
    {drawnAtOnce('foot')}
  </head>
);
