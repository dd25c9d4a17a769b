import { PLAN_NAMES, type Plan, type TenantRow } from '../../tenants/index.ts';
import { ROLES, type Role } from './roles.ts';

/**
 * What a developer's page needs to know for its reads: their tenant and role. The signed session cookie carries
 * it, so that page and session are read in one batch. The page is sent only if the rows read beside it match.
 */
export interface TenantHint {
  readonly id: number;
  readonly slug: string;
  readonly plan: Plan;
  /** The main one first. */
  readonly currencies: readonly string[];
  readonly role: Role;
}

/** Serializes a developer's hint for the cookie's note. */
export const hintOf = (user: { readonly role: Role }, { id, plan, currencies, slug }: TenantRow): string =>
  [id, plan, currencies.join('-'), ROLES.indexOf(user.role), slug].join('_');

const SHAPE = /^(\d+)_([a-z]+)_([A-Z]{3}(?:-[A-Z]{3})*)_(\d)_([a-z0-9-]+)$/;

/** Parses the hint of a cookie's note; returns `null` for a missing or outdated format. */
export function readHint(note: string): TenantHint | null {
  const [, id, name, currencies, rank, slug] = SHAPE.exec(note) ?? [];
  const plan = PLAN_NAMES.find((one) => one === name);
  const role = ROLES[Number(rank)];
  return id && plan && currencies && role && slug
    ? { id: Number(id), plan, currencies: currencies.split('-'), role, slug }
    : null;
}
