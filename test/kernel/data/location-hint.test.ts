import { expect, it } from 'vitest';
import { locationHint } from '../../../src/kernel/data/location-hint.ts';

const hintFor = (cf?: CfProperties) =>
  locationHint(new Request<unknown, CfProperties>('https://api.example.com/', { ...(cf && { cf }) }));

it.each([
  ['Berlin', { continent: 'EU', country: 'DE' }, 'weur'],
  ['Reykjavik', { continent: 'EU', country: 'IS' }, 'weur'],
  ['Warsaw', { continent: 'EU', country: 'PL' }, 'eeur'],
  ['Istanbul', { continent: 'AS', country: 'TR' }, 'me'],
  ['Dubai', { continent: 'AS', country: 'AE' }, 'me'],
  ['Cairo', { continent: 'AF', country: 'EG' }, 'me'],
  ['Nairobi', { continent: 'AF', country: 'KE' }, 'afr'],
  ['Tokyo', { continent: 'AS', country: 'JP' }, 'apac'],
  ['Mumbai', { continent: 'AS', country: 'IN' }, 'apac'],
  ['Sydney', { continent: 'OC', country: 'AU' }, 'oc'],
  ['São Paulo', { continent: 'SA', country: 'BR' }, 'sam'],
  ['New York', { continent: 'NA', country: 'US', longitude: '-74.00600' }, 'enam'],
  ['Chicago', { continent: 'NA', country: 'US', longitude: '-87.65000' }, 'enam'],
  ['Denver', { continent: 'NA', country: 'US', longitude: '-104.98470' }, 'wnam'],
  ['Vancouver', { continent: 'NA', country: 'CA', longitude: '-123.11930' }, 'wnam'],
  ['North America, longitude unknown', { continent: 'NA', country: 'US' }, 'enam'],
  ['Antarctica', { continent: 'AN' }, null],
  ['Tor', { country: 'T1' }, null],
  ['an unknown place', {}, null],
] as const)('%s', (_, cf, hint) => {
  expect(hintFor({ ...cf })).toBe(hint);
});

it('a request that was not made at the edge', () => {
  expect(hintFor()).toBeNull();
});
