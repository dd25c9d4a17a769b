import type { z } from '@hono/zod-openapi';
import type { PageMeta } from '../kernel/core/pagination.ts';
import type { Example } from '../kernel/openapi/example.ts';
import type {
  Settings,
  SettingsChange,
  SlugParam,
  Tenant,
  TenantCreate,
  TenantPatch,
  UnavailableTenant,
} from './schemas.ts';

type TenantShown = z.output<typeof Tenant>;
type TenantList = z.ZodType<{
  data: TenantShown[];
  meta: z.output<typeof PageMeta>;
  unavailable: z.output<typeof UnavailableTenant>[];
}>;

const params = { slug: 'kaffee-und-kette' } as const;
const named = { ...params, name: 'Kaffee & Kette', currency: 'EUR' } as const;

/** German prices include tax: 19 %, and 7 % for food. */
const settings = () => ({
  tax: {
    mode: 'inclusive' as const,
    rate_percent: 19,
    rates_by_class: { food: { rate_percent: 7 } },
  },
  shipping: { flat: 4.9, free_over: 60 },
  payments: 'sandbox' as const,
});
const methods = () => [
  { id: 'standard', name: 'Parcel', price: 4.9, free_over: 60, min_days: 2, max_days: 4 },
  {
    id: 'express',
    name: 'Express',
    description: 'Delivered before noon',
    countries: ['DE', 'AT'],
    tiers: [
      { from_weight: 0, price: 9.9 },
      { from_weight: 5_000, price: 14.9 },
    ],
    min_days: 1,
    max_days: 1,
  },
];
const checkout = () => ({
  allowed_hosts: ['shop.example.com'],
  external_url: 'https://shop.example.com/checkout',
});

const feeds = () => ({ product_url: 'https://shop.example.com/p/{slug}?variant={variant_id}' });

const tenant = (changed: Partial<TenantShown> = {}): TenantShown => ({
  ...named,
  currencies: ['EUR'],
  plan: 'growth',
  status: 'active',
  jurisdiction: null,
  settings: { ...settings(), checkout: { allowed_hosts: [] } },
  created_at: '2026-11-23T08:30:00.412Z',
  updated_at: '2026-11-23T08:30:00.412Z',
  ...changed,
});

/** The settings after the shop added countries, a checkout of its own and its product pages. */
const changedSettings = (): z.output<typeof Settings> => ({
  ...settings(),
  shipping: {
    flat: 4.9,
    free_over: 60,
    by_country: { AT: { flat: 9.9 }, CH: { flat: 19.9, free_over: 150 } },
    methods: methods().map((method) => ({ ...method, active: true })),
  },
  checkout: checkout(),
  low_stock_threshold: 10,
  feeds: feeds(),
});

/** Examples of the endpoints for tenants and settings. */
export const tenantExamples = {
  create: (): Example<{ body: typeof TenantCreate; answer: typeof Tenant }> => ({
    body: { ...named, plan: 'growth', settings: settings() },
    answer: tenant(),
  }),
  list: (): Example<{ answer: TenantList }> => ({
    answer: {
      data: [tenant()],
      meta: { page: 1, limit: 20, total: 1, total_pages: 1, next_cursor: null },
      unavailable: [],
    },
  }),
  get: (): Example<{ params: typeof SlugParam; answer: typeof Tenant }> => ({ params, answer: tenant() }),
  patch: (): Example<{ params: typeof SlugParam; body: typeof TenantPatch; answer: typeof Tenant }> => ({
    params,
    body: { plan: 'enterprise' },
    answer: tenant({
      plan: 'enterprise',
      settings: changedSettings(),
      updated_at: '2026-11-23T14:02:55.027Z',
    }),
  }),
  getSettings: (): Example<{ answer: typeof Settings }> => ({ answer: tenant().settings }),
  patchSettings: (): Example<{ body: typeof SettingsChange; answer: typeof Settings }> => ({
    body: {
      checkout: checkout(),
      low_stock_threshold: 10,
      feeds: feeds(),
      shipping: {
        flat: 4.9,
        free_over: 60,
        by_country: { AT: 9.9, CH: { flat: 19.9, free_over: 150 } },
        methods: methods(),
      },
    },
    answer: changedSettings(),
  }),
};
