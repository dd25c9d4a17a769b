import { world } from '../../../support/world.ts';
import type { Copy, MakeCopy } from '../run-pair.ts';

/** A tenant's settings, theme and application, and what depends on its currencies. */
export const settings: MakeCopy = async () => {
  const shop = await world({ name: 'Shop', currencies: ['EUR', 'USD'] });
  const etag = (await shop.get('/settings')).headers.get('etag') ?? '';
  const app = (await shop.register({ kind: 'integration' })).id;
  const reads = ['/settings', '/theme/options'];
  const writes: Copy['writes'] = {
    tax: { method: 'PATCH', path: '/settings', body: { tax: { mode: 'inclusive', rate_percent: 19 } } },
    tax2: { method: 'PATCH', path: '/settings', body: { tax: { mode: 'exclusive', rate_percent: 7 } } },
    shipping: { method: 'PATCH', path: '/settings', body: { shipping: { flat: 4 } } },
    shippingUsd: { method: 'PATCH', path: '/settings', body: { shipping: { flat: { EUR: 4, USD: 5 } } } },
    hosts: {
      method: 'PATCH',
      path: '/settings',
      body: { checkout: { allowed_hosts: ['shop.example.com'] } },
    },
    external: {
      method: 'PATCH',
      path: '/settings',
      body: { checkout: { external_url: 'https://pay.example.com/go' } },
    },
    matched: {
      method: 'PATCH',
      path: '/settings',
      body: { low_stock_threshold: 7 },
      headers: { 'if-match': etag },
    },
    stripe: {
      method: 'PATCH',
      path: '/settings',
      body: {
        payments: 'stripe',
        secrets: { stripe_secret_key: 'sk_test_12345678', stripe_webhook_secret: 'whsec_12345678' },
      },
    },
    stripeKeys: {
      method: 'PATCH',
      path: '/settings',
      body: { secrets: { stripe_secret_key: 'sk_test_12345678', stripe_webhook_secret: 'whsec_12345678' } },
    },
    noStripeKey: { method: 'PATCH', path: '/settings', body: { secrets: { stripe_secret_key: null } } },
    stripeOn: { method: 'PATCH', path: '/settings', body: { payments: 'stripe' } },
    sandbox: { method: 'PATCH', path: '/settings', body: { payments: 'sandbox' } },
    name: { method: 'PATCH', path: `/admin/v1/tenants/${shop.slug}`, body: { name: 'Other' } },
    noUsd: { method: 'PATCH', path: `/admin/v1/tenants/${shop.slug}`, body: { currencies: ['EUR'] } },
    gbp: {
      method: 'PATCH',
      path: `/admin/v1/tenants/${shop.slug}`,
      body: { currencies: ['EUR', 'USD', 'GBP'] },
    },
    usdFirst: { method: 'PATCH', path: `/admin/v1/tenants/${shop.slug}`, body: { currency: 'USD' } },
    starter: { method: 'PATCH', path: `/admin/v1/tenants/${shop.slug}`, body: { plan: 'starter' } },
    ucp: { method: 'PATCH', path: '/settings', body: { ucp: { enabled: true } } },
    enterprise: { method: 'PATCH', path: `/admin/v1/tenants/${shop.slug}`, body: { plan: 'enterprise' } },
    colour: { method: 'PATCH', path: '/theme/options', body: { colors: { primary: '#112233' } } },
    accent: {
      method: 'PATCH',
      path: '/theme/options',
      body: { colors: { accent: '#332211' }, font_family: 'Inter' },
    },
    usdProduct: {
      method: 'POST',
      path: '/products',
      body: { name: 'Cup', type: 'simple', price: 1, prices: { USD: 2 } },
    },
    usdPromotion: {
      method: 'POST',
      path: '/promotions',
      body: { name: 'N', trigger: 'automatic', effect: { kind: 'fixed', value: { EUR: 1, USD: 2 } } },
    },
    usdCart: { method: 'POST', path: '/cart', body: { currency: 'USD' } },
    appName: {
      method: 'PATCH',
      path: `/admin/v1/tenants/${shop.slug}/applications/${app}`,
      body: { name: 'Renamed' },
    },
    appScopes: {
      method: 'PATCH',
      path: `/admin/v1/tenants/${shop.slug}/applications/${app}`,
      body: { scopes: ['catalog:read'] },
    },
    appPassive: {
      method: 'PATCH',
      path: `/admin/v1/tenants/${shop.slug}/applications/${app}`,
      body: { status: 'passive' },
    },
    appRotate: { method: 'POST', path: `/admin/v1/tenants/${shop.slug}/applications/${app}/rotate` },
    appCreate: {
      method: 'POST',
      path: `/admin/v1/tenants/${shop.slug}/applications`,
      body: { name: 'N', kind: 'storefront' },
    },
  };
  return { shop, reads, writes, othersOnly: true };
};
