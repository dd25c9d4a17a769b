import { isRecord } from '../core/records.ts';

/** Serializes a value as JSON with sorted object keys, so that equal values give equal strings. */
export const canonicalJson = (value: unknown): string =>
  JSON.stringify(value ?? null, (_, part: unknown) =>
    isRecord(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
