import { PLAN_NAMES, type Plan, type TenantRow } from '../tenants/index.ts';

/**
 * What the reads of a developer's page go by. The session's cookie carries it, signed, so that page and
 * session are read at once; the page is shown only where the tenant read beside it says the same.
 */
export interface TenantHint {
  readonly id: number;
  readonly slug: string;
  readonly plan: Plan;
  /** The main one first. */
  readonly currencies: readonly string[];
}

/** A tenant's hint as a cookie's note. */
export const hintOf = ({ id, plan, currencies, slug }: TenantRow): string =>
  [id, plan, currencies.join('-'), slug].join('_');

const SHAPE = /^(\d+)_([a-z]+)_([A-Z]{3}(?:-[A-Z]{3})*)_([a-z0-9-]+)$/;

/** The hint of a cookie's note; `null` where it holds none that can be read (any more). */
export function readHint(note: string): TenantHint | null {
  const [, id, name, currencies, slug] = SHAPE.exec(note) ?? [];
  const plan = PLAN_NAMES.find((one) => one === name);
  return id && plan && currencies && slug
    ? { id: Number(id), plan, currencies: currencies.split('-'), slug }
    : null;
}
