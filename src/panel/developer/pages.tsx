import { ProductList } from '../../catalog/index.ts';
import { OrderList } from '../../orders/index.ts';
import { PLANS } from '../../tenants/index.ts';
import { Facts, getPage, type Page, type PageRequest } from '../../web/index.ts';
import { applicationPages } from '../applications.tsx';
import { quickStartPages } from '../insights/quick-start.tsx';
import { requestLogPages } from '../insights/request-log.tsx';
import { accountPages } from '../people/account.tsx';
import { peoplePages } from '../people/people.tsx';
import { categoryPages } from './categories/pages.tsx';
import { feedPages } from './feeds.tsx';
import { importPages } from './imports.tsx';
import { Orders } from './orders/order-list.tsx';
import { orderPages } from './orders/pages.tsx';
import { productPages } from './products/pages.tsx';
import { promotionPages } from './promotions/pages.tsx';
import { settingsPages } from './settings.tsx';
import { themePages } from './theme.tsx';
import { webhookPages } from './webhooks.tsx';

const AREAS = [
  ['/developer/products', 'Products', 'Search the catalogue and change prices, stock and status'],
  ['/developer/categories', 'Categories', 'The tree in which shoppers find your products'],
  ['/developer/imports', 'Imports', 'Import products from a CSV and follow the progress'],
  ['/developer/orders', 'Orders', 'Find, view and cancel orders'],
  ['/developer/promotions', 'Promotions', 'Discounts, free items and free shipping, automatic and by code'],
  ['/developer/feeds', 'Product feeds', 'Files of your products for Google Merchant Center and others'],
  ['/developer/theme', 'Theme', 'Colours, font, logo and sections of the storefront'],
  ['/developer/settings', 'Settings', 'Tax, shipping, checkout and payments'],
  ['/developer/applications', 'Applications', 'Tokens for your storefront, apps and integrations'],
  ['/developer/quick-start', 'Quick start', 'The first calls, for your shell and in TypeScript'],
  ['/developer/request-log', 'Request log', 'The last requests of each application'],
  ['/developer/webhooks', 'Webhooks', 'Event subscriptions, delivery logs and replays'],
] as const;

const Areas = () => (
  <>
    <h2>What you can do here</h2>
    <ul class="shelf">
      {AREAS.map(([href, title, description]) => (
        <li>
          <a href={href}>{title}</a>
          <p class="hint">{description}</p>
        </li>
      ))}
    </ul>
    <p>
      See the <a href="/docs/">API reference</a>.
    </p>
  </>
);

const overviewPage = async (request: PageRequest) => {
  const [{ tenant }, orders, products] = await Promise.all([
    request.developer(),
    request.api({ path: '/v1/orders?limit=5', answer: OrderList }),
    request.api({ path: '/v1/products?status=all&limit=1', answer: ProductList }),
  ]);
  if (!orders.ok) return orders;
  if (!products.ok) return products;
  const body = (
    <>
      <Facts
        of={{
          Products: <a href="/developer/products">{products.value.meta.total}</a>,
          Orders: <a href="/developer/orders">{orders.value.meta.total}</a>,
          Plan: `${tenant.plan}: ${PLANS[tenant.plan].requestsPerMinute} requests per minute`,
          Currencies: tenant.currencies.join(', '),
          Payments: <a href="/developer/settings">{tenant.settings.payments}</a>,
          Shop: tenant.slug,
        }}
      />
      <h2>Latest orders</h2>
      <Orders
        orders={orders.value.data}
        empty={<p>No orders yet. Orders appear here when a shopper checks out.</p>}
      />
      <Areas />
    </>
  );
  return { title: tenant.name, body };
};

/** The pages of the developer panel. */
export const developerPages: readonly Page[] = [
  getPage({ path: '/developer', audience: 'developer' }, overviewPage),
  ...productPages,
  ...categoryPages,
  ...importPages,
  ...orderPages,
  ...promotionPages,
  ...themePages,
  ...settingsPages,
  ...feedPages,
  ...webhookPages,
  ...quickStartPages,
  ...requestLogPages,
  ...peoplePages,
  ...accountPages,
  ...applicationPages({
    audience: 'developer',
    root: '/developer/applications',
    slug: (request) => request.tenant.slug,
  }),
];
