import { countryName } from '../../../../kernel/values/countries.ts';
import { type EditPart, storedValues, type Values } from '../../../editing/changes.ts';
import type { Method } from './change-shipping.ts';
import type { MethodInput } from './method-schema.ts';

/** The parts of a shipping method that its form edits. */
export const METHOD_PARTS: readonly EditPart<Method>[] = [
  { key: 'name', label: 'Name' },
  { key: 'description', label: 'Description', of: ({ description }) => description?.trim() || null },
  { key: 'active', label: 'Offered to shoppers' },
  {
    key: 'countries',
    label: 'Countries',
    of: ({ countries = [] }) => countries,
    say: (codes) => [codes].flat().map(String).map(countryName).join(', ') || 'everywhere',
  },
  { key: 'min_days', label: 'Days at least', of: ({ min_days }) => min_days ?? null },
  { key: 'max_days', label: 'Days at most', of: ({ max_days }) => max_days ?? null },
  {
    key: 'price',
    label: 'What it costs',
    of: ({ price, tiers }) => (price === undefined ? { tiers } : { price }),
  },
  { key: 'free_over', label: 'Free from', of: ({ free_over }) => free_over ?? null },
];

/** Returns a form's values by the keys of {@link METHOD_PARTS}. */
export function methodValues(input: MethodInput): Values {
  const { name, description, active, min_days, max_days, free_over, countries, basis, price, tiers } = input;
  const costs = basis === 'price' ? { price } : { tiers };
  return { name, description, active, min_days, max_days, free_over, countries, price: costs };
}

/** Returns values as a method of the API; empty ones are left out. */
export function methodOf({ price: costs, countries, ...values }: Values, id: string): object {
  const given = Object.entries(values).filter(([, value]) => value !== null);
  return {
    id,
    ...Object.fromEntries(given),
    ...(Array.isArray(countries) && countries.length > 0 && { countries }),
    // One price, or tiers: see `methodValues`.
    ...(costs as object),
  };
}

/** Returns a stored method with what was changed of it. */
export const changedMethod = (method: Method, changed: Values): object =>
  methodOf({ ...storedValues(METHOD_PARTS, method), ...changed }, method.id);
