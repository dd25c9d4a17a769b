import { PLAN_NAMES, type Plan, type TenantRow } from '../../tenants/index.ts';

/**
 * The tenant data that a developer's page needs for its reads. The signed session cookie carries it, so that page
 * and session are read in one batch. The page is sent only if the tenant row read beside it matches.
 */
export interface TenantHint {
  readonly id: number;
  readonly slug: string;
  readonly plan: Plan;
  /** The main one first. */
  readonly currencies: readonly string[];
}

/** Serializes a tenant's hint for the cookie's note. */
export const hintOf = ({ id, plan, currencies, slug }: TenantRow): string =>
  [id, plan, currencies.join('-'), slug].join('_');

const SHAPE = /^(\d+)_([a-z]+)_([A-Z]{3}(?:-[A-Z]{3})*)_([a-z0-9-]+)$/;

/** Parses the hint of a cookie's note; returns `null` for a missing or outdated format. */
export function readHint(note: string): TenantHint | null {
  const [, id, name, currencies, slug] = SHAPE.exec(note) ?? [];
  const plan = PLAN_NAMES.find((one) => one === name);
  return id && plan && currencies && slug
    ? { id: Number(id), plan, currencies: currencies.split('-'), slug }
    : null;
}
