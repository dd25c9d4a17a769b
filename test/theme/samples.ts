import type { Samples } from '../support/contract/sample.ts';

export const samples: Samples = {
  'GET /v1/theme/options': {},
  'PATCH /v1/theme/options': { body: { colors: { primary: '#112233' } } },
};
