import type { Samples } from '../support/contract/sample.ts';

export const samples: Samples = {
  'GET /v1/insights': { query: '?period=7d' },
};
