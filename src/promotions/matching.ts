import { and, eq, type SQL, sql } from 'drizzle-orm';
import { now } from '../kernel/core/clock.ts';
import { fold } from '../kernel/text/fold.ts';
import type { PromotionFilter } from './schemas.ts';
import { promotions } from './tables.ts';

/** Returns the condition that promotions meet a list's filters; undefined without any. */
export const matching = ({ trigger, standing, q }: PromotionFilter): SQL | undefined =>
  and(
    trigger && eq(promotions.automatic, trigger === 'automatic'),
    standing && standingIs(standing),
    q === undefined
      ? undefined
      : // The key of an automatic promotion is random.
        sql`(instr(lower(${promotions.name}), lower(${q}))
          OR (NOT ${promotions.automatic} AND instr(${promotions.codeKey}, ${fold(q)})))`,
  );

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
