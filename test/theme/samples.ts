import type { Samples } from '../support/sample.ts';

export const samples: Samples = {
  'GET /v1/theme/options': {},
  'PATCH /v1/theme/options': { body: { colors: { primary: '#112233' } } },
};
