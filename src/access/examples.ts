import type { z } from '@hono/zod-openapi';
import type { PageMeta } from '../kernel/core/pagination.ts';
import { SCOPES } from '../kernel/core/scopes.ts';
import type { Example, NamedExamples } from '../kernel/openapi/example.ts';
import type { SlugParam } from '../tenants/index.ts';
import type {
  Application,
  ApplicationCreate,
  ApplicationParams,
  ApplicationPatch,
  ApplicationWithToken,
} from './schemas.ts';

type Shown = z.output<typeof Application>;
type ApplicationList = z.ZodType<{ data: Shown[]; meta: z.output<typeof PageMeta> }>;

const tenant = { slug: 'kaffee-und-kette' } as const;
const origin = 'https://shop.example.com';

const unlimited = () => ({
  agent_profile: null,
  status: 'active' as const,
  rate_limit_per_minute: null,
  expires_at: null,
  last_used_at: null,
});
const backOffice = (): Shown => ({
  id: 1,
  name: 'Back office',
  kind: 'integration',
  scopes: [...SCOPES],
  server_side: true,
  ...unlimited(),
  allowed_origins: [],
  created_at: '2026-11-23T08:31:12.744Z',
});
const webShop = (): Shown => ({
  id: 2,
  name: 'Web shop',
  kind: 'storefront',
  server_side: false,
  ...unlimited(),
  scopes: ['catalog:read', 'cart:read', 'cart:write', 'customers:write', 'checkout:write', 'theme:read'],
  allowed_origins: [origin],
  created_at: '2026-11-23T08:32:40.158Z',
});
const limits = () => ({
  allowed_origins: [origin, 'https://m.shop.example.com'],
  rate_limit_per_minute: 300,
});

/** Examples of the endpoints for applications. */
export const accessExamples = {
  create: (): NamedExamples<{
    params: typeof SlugParam;
    body: typeof ApplicationCreate;
    answer: typeof ApplicationWithToken;
  }> => ({
    integration: {
      summary: 'The back office, with every scope',
      params: tenant,
      body: { name: 'Back office', kind: 'integration' },
      answer: { ...backOffice(), token: 'sfe_live_1-1_MPZ98EGmMtna8w5jYd1xPh9IDHwUk8lZ_1HhnJrcqZqrqi' },
    },
    storefront: {
      summary: 'The web shop, called by browsers',
      params: tenant,
      body: { name: 'Web shop', kind: 'storefront', allowed_origins: [origin] },
      answer: { ...webShop(), token: 'sfe_live_1-2_gbW8VqwHLmkK68O4oNHBeT6D0imPAnDn_1zJKE2JYIN2BX' },
    },
  }),
  list: (): Example<{ params: typeof SlugParam; answer: ApplicationList }> => ({
    params: tenant,
    answer: {
      data: [backOffice(), webShop()],
      meta: { page: 1, limit: 20, total: 2, total_pages: 1, next_cursor: null },
    },
  }),
  get: (): Example<{ params: typeof ApplicationParams; answer: typeof Application }> => ({
    params: { ...tenant, id: 1 },
    answer: backOffice(),
  }),
  patch: (): Example<{
    params: typeof ApplicationParams;
    body: typeof ApplicationPatch;
    answer: typeof Application;
  }> => ({
    params: { ...tenant, id: 2 },
    body: limits(),
    answer: { ...webShop(), ...limits() },
  }),
  rotate: (): Example<{ params: typeof ApplicationParams; answer: typeof ApplicationWithToken }> => ({
    params: { ...tenant, id: 2 },
    answer: {
      ...webShop(),
      ...limits(),
      token: 'sfe_live_1-2_Ru956wqvCKX09rYYatP5fuTaD0ITPsAB_1P3NsjjxtQgMj',
    },
  }),
};
