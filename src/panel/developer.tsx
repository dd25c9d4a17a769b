import { PLANS } from '../tenants/index.ts';
import { applicationPages } from './applications.tsx';
import { couponPages } from './coupons.tsx';
import { importPages } from './imports.tsx';
import { orderPages } from './orders.tsx';
import { look, type Page, type Visit } from './page.ts';
import { productPages } from './products.tsx';
import { settingsPages } from './settings.tsx';
import { themePages } from './theme.tsx';
import { webhookPages } from './webhooks.tsx';

const AREAS = [
  ['/developer/products', 'Products', 'Search the catalogue; change prices, stock and status'],
  ['/developer/imports', 'Import', 'Bring products in from a CSV, and watch it'],
  ['/developer/orders', 'Orders', 'Find an order, see it whole, cancel it'],
  ['/developer/coupons', 'Coupons', 'What customers get for a code'],
  ['/developer/theme', 'Theme', 'Colours, font, logo and sections of the storefront'],
  ['/developer/settings', 'Settings', 'Tax, shipping, checkout and payments'],
  ['/developer/applications', 'Applications', 'Tokens for your storefront, apps and integrations'],
  ['/developer/webhooks', 'Webhooks', 'Who is told of what, how it went, and once more'],
] as const;

const overviewPage = async (visit: Visit) => {
  const { tenant } = await visit.developer();
  const plan = PLANS[tenant.plan];
  const body = (
    <>
      <dl class="facts">
        <div>
          <dt>Shop</dt>
          <dd>{tenant.slug}</dd>
        </div>
        <div>
          <dt>Plan</dt>
          <dd>
            {tenant.plan}: {plan.requestsPerMinute} requests a minute
          </dd>
        </div>
        <div>
          <dt>Currencies</dt>
          <dd>{tenant.currencies.join(', ')}</dd>
        </div>
        <div>
          <dt>Payments</dt>
          <dd>{tenant.settings.payments}</dd>
        </div>
      </dl>
      <ul class="shelf">
        {AREAS.map(([href, title, what]) => (
          <li>
            <a href={href}>{title}</a>
            <p class="hint">{what}</p>
          </li>
        ))}
      </ul>
      <p>
        How to call the API: <a href="/docs/">the reference</a>.
      </p>
    </>
  );
  return { title: tenant.name, body };
};

/** A developer's pages. */
export const developerPages: readonly Page[] = [
  look({ path: '/developer', audience: 'developer' }, overviewPage),
  ...productPages,
  ...importPages,
  ...orderPages,
  ...couponPages,
  ...themePages,
  ...settingsPages,
  ...webhookPages,
  ...applicationPages({
    audience: 'developer',
    root: '/developer/applications',
    slug: (visit) => visit.tenant.slug,
  }),
];
