import type { Samples } from '../support/contract/sample.ts';

export const samples: Samples = {
  'GET /v1/search': { query: '?q=shirt' },
  'POST /admin/v1/tenants/{slug}/search-rebuilds': { params: async ({ slug }) => ({ slug }) },
};
