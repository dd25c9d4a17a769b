import { describe, expect, it } from 'vitest';
import { changedFields } from '../../../src/audit/index.ts';

describe('changedFields', () => {
  it('compares field by field, and leaves out what did not change', () => {
    const before = { name: 'Mug', tax: { mode: 'inclusive', rate_percent: 19 }, tags: ['a'] };
    const sent = { name: 'Mug', tax: { mode: 'inclusive', rate_percent: 7 }, tags: ['a', 'b'] };
    expect(changedFields('products', before, sent)).toEqual([
      { field: 'tax.rate_percent', old: '19', new: '7' },
      { field: 'tags', old: '["a"]', new: '["a","b"]' },
    ]);
  });

  it.each(['password', 'secrets.stripe_secret_key', 'token', 'email', 'billing_address', 'note', 'url'])(
    'records that %s changed, not its values',
    (field) => {
      const nested = field
        .split('.')
        .reduceRight<unknown>((inner, name) => ({ [name]: inner }), 'classified');
      const changes = changedFields('settings', {}, Object(nested));
      expect(changes).toEqual([{ field }]);
    },
  );

  it('records the fields of customers and orders by name alone', () => {
    expect(changedFields('customers', { name: 'Mila' }, { name: 'Milla' })).toEqual([{ field: 'name' }]);
  });

  it('bounds an entry', () => {
    const many = Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`field${n}`, 'x'.repeat(500)]));
    const changes = changedFields('products', null, many);
    expect(changes).toHaveLength(40);
    expect(changes[0]).toEqual({ field: 'field0' });
  });
});
