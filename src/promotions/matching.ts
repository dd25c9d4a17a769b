import { and, eq, type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { jsonList, rows } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import { fold } from '../kernel/text/fold.ts';
import type { PromotionFilter } from './schemas.ts';
import { promotions } from './tables.ts';

/** Returns the condition that promotions meet a list's filters; undefined without any. Reads names for a text. */
export const matching = async (
  ctx: TenantDatabase,
  { trigger, standing, q }: PromotionFilter,
): Promise<SQL | undefined> =>
  and(
    trigger && eq(promotions.automatic, trigger === 'automatic'),
    standing && standingIs(standing),
    q === undefined ? undefined : await hasText(ctx, fold(q)),
  );

/** Returns the condition that a promotion has a folded text in its name or code. */
async function hasText({ db, tenantId }: TenantDatabase, text: string): Promise<SQL> {
  if (text === '') return sql`FALSE`;
  // SQLite folds ASCII alone. A plan has at most 10,000 promotions.
  const others = await rows<{ id: number; name: string }>(
    db,
    sql`SELECT id, name FROM promotions
      WHERE tenant_id = ${tenantId} AND deleted_at IS NULL AND name GLOB '*[^ -~]*'`,
  );
  const found = others.flatMap(({ id, name }) => (fold(name).includes(text) ? id : []));
  // The key of an automatic promotion is random.
  return sql`(instr(lower(${promotions.name}), ${text}) OR ${promotions.id} IN (${jsonList(found)})
    OR (NOT ${promotions.automatic} AND instr(${promotions.codeKey}, ${text})))`;
}

function standingIs(standing: NonNullable<PromotionFilter['standing']>): SQL {
  const { active, startsAt, endsAt, maxUses, uses } = promotions;
  if (standing === 'off') return sql`NOT ${active}`;
  const over = sql`(coalesce(${endsAt} <= ${now()}, FALSE) OR coalesce(${uses} >= ${maxUses}, FALSE))`;
  if (standing === 'over') return sql`${active} AND ${over}`;
  const later = sql`coalesce(${startsAt} > ${now()}, FALSE)`;
  return standing === 'scheduled'
    ? sql`${active} AND NOT ${over} AND ${later}`
    : sql`${active} AND NOT ${over} AND NOT ${later}`;
}
