import { type Context, Hono } from 'hono';
import type { App } from '../kernel/http/context.ts';
import { readOnly } from '../kernel/http/problem.ts';
import { Document, frameOf, safe } from './layout.tsx';

/** Where the start page leads: [path, name, description]. */
const PLACES = [
  ['/developer', 'Shop panel', 'Products, orders, customers, settings and developer tools of one shop.'],
  ['/admin', 'Operator panel', 'Tenants, their people, and the health of the platform.'],
  ['/docs/', 'API reference', 'Every endpoint, with examples to try.'],
  ['/v1/openapi.json', 'OpenAPI document', 'The same for code generators and other tools.'],
] as const;

const DEMO = ['/demo', 'Demo shop', 'A storefront on the public API, to browse and buy in.'] as const;

/** The page at `/`: what the service is, and where everything is. */
const StartPage = ({ hasDemo }: { hasDemo: boolean }) => (
  <>
    <p class="lead">
      A headless commerce API for many shops, on the edge: catalogue, search, carts, checkout, orders,
      promotions, webhooks and feeds, with panels for the people who run them.
    </p>
    <ul class="shelf">
      {[...PLACES, ...(hasDemo ? [DEMO] : [])].map(([href, name, description]) => (
        <li>
          <a href={href}>{name}</a>
          <p class="hint">{description}</p>
        </li>
      ))}
    </ul>
  </>
);

function show(c: Context<App>): Response | Promise<Response> {
  safe(c);
  c.header('X-Request-Id', c.get('requestId'));
  c.header('Cache-Control', 'no-store');
  const view = { title: 'Storefront Edge', body: <StartPage hasDemo={Boolean(c.env.DEMO_TOKEN)} /> };
  return c.html(`<!doctype html>${Document({ frame: frameOf('/'), view, trouble: null })}`);
}

/** The router of `/`. */
export const startPage = new Hono<App>().get('/', show);
startPage.all('/', readOnly);
