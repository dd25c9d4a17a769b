import { type Context, Hono } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { readOnly } from '../kernel/http/problem.ts';
import { Document, frameOf, setSecurityHeaders } from './layout.tsx';
import { Part } from './ui/part.tsx';

/** Where the start page leads: [path, name, description]. */
const PLACES = [
  [
    '/developer',
    'Shop panel',
    'Products, orders, customers and settings of one shop, and its developer tools.',
  ],
  ['/admin', 'Super-admin panel', 'Tenants, their people, and the health of the platform.'],
  ['/docs/', 'API reference', 'Every endpoint, with examples to try in the browser.'],
  ['/v1/openapi.json', 'OpenAPI document', 'The same for code generators and other tools.'],
] as const;

const DEMO = ['/demo', 'Demo shop', 'A storefront on the public API, to browse and buy in.'] as const;

interface StartPageProps {
  /** The service's own origin. */
  readonly origin: string;
  readonly hasDemo: boolean;
}

/** The page at `/`: what the service is, where everything is, and a first request. */
const StartPage = ({ origin, hasDemo }: StartPageProps) => (
  <>
    <Part name="shelf" />
    <Part name="start" />
    <p class="lead">
      A headless commerce API for many shops, on the edge: catalogue, search, carts, checkout, orders,
      promotions, webhooks and feeds, with panels for the people who run them.
    </p>
    <p class="actions">
      <a class="button" href={hasDemo ? '/demo' : '/docs/'}>
        {hasDemo ? 'Visit the demo shop' : 'Read the API reference'}
      </a>
      <a class="button secondary" href="/developer">
        Sign in to your shop
      </a>
    </p>
    <ul class="shelf">
      {[...(hasDemo ? [DEMO] : []), ...PLACES].map(([href, name, description]) => (
        <li>
          <h2>
            <a href={href}>{name}</a>
          </h2>
          <p class="soft">{description}</p>
        </li>
      ))}
    </ul>
    <section class="card">
      <h2>The first request</h2>
      <p>
        Applications of a shop have tokens. The <a href="/developer/quick-start">quick start</a> shows
        requests with yours, in curl and in TypeScript.
      </p>
      <pre tabindex={0}>
        <code>{`curl "${origin}/v1/products?limit=3" \\\n  --header "Authorization: Bearer $TOKEN"`}</code>
      </pre>
    </section>
  </>
);

function show(c: Context<App>): Response | Promise<Response> {
  setSecurityHeaders(c);
  c.header('X-Request-Id', c.get('requestId'));
  c.header('Cache-Control', 'no-store');
  const { origin } = new URL(c.req.url);
  const body = <StartPage origin={origin} hasDemo={Boolean(c.env.DEMO_TOKEN)} />;
  const view = { title: 'One commerce API, any storefront', body };
  return c.html(`<!doctype html>${Document({ frame: frameOf('/'), view, formError: null })}`);
}

/** The router of `/`. */
export const startPage = new Hono<App>().get('/', show);
startPage.all('/', readOnly);
