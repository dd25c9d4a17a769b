import { hasEffect, writeStatements } from '../../catalog/index.ts';
import { newCause } from '../../inventory/index.ts';
import type { Group } from '../csv/groups.ts';
import type { ImportError } from '../csv/line-errors.ts';
import { seenStatement } from '../progress.ts';
import { MAX_LISTED_ERRORS } from '../schemas.ts';
import type { ImportRow } from '../tables.ts';
import type { Plan, PlanContext } from './plan.ts';

/** Returns a plan's statements, the batch id that identifies its events, and the counts of products. */
export function statementsFor(context: PlanContext, row: ImportRow, { writes, seen }: Plan) {
  const cause = newCause(context, 'import');
  const effective = writes.filter(hasEffect);
  const created = effective.filter(({ before }) => before === null).length;
  const unchanged = writes.length - effective.length;
  return {
    batch: cause.batch,
    statements: [
      ...(seen.length > 0 ? [seenStatement(context, row.id, seen)] : []),
      ...(context.dryRun?.record(effective) ?? writeStatements(context, cause, effective)),
    ],
    counts: { created, updated: effective.length - created, unchanged },
  };
}

/** A committed plan: its groups, and how many of its products were created, updated or unchanged. */
interface Progress {
  readonly plan: Plan;
  readonly counts: { readonly created: number; readonly updated: number; readonly unchanged: number };
  readonly groups: readonly Group[];
  readonly errors: readonly ImportError[];
}

/** Returns the import advanced past these groups. */
export function advanced(row: ImportRow, { plan, counts, groups, errors }: Progress): ImportRow {
  const processed = row.processed + groups.reduce((sum, group) => sum + group.lines, 0);
  return {
    ...row,
    ...groups.at(-1)?.next,
    rows: Math.max(row.rows, processed),
    processed,
    created: row.created + counts.created,
    updated: row.updated + counts.updated,
    unchanged: row.unchanged + counts.unchanged,
    failed: row.failed + plan.errors.count,
    errors: [...row.errors, ...errors].slice(0, MAX_LISTED_ERRORS),
  };
}
