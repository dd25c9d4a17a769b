import { iso, isoOrNull } from '../kernel/core/clock.ts';
import type { TenantMove } from './schemas.ts';
import { OLD_COPY_RETENTION_MS } from './steps.ts';
import type { MoveRow } from './tables.ts';

/** Returns a move as the API shows it. */
export function presentMove(move: MoveRow): TenantMove {
  const { id, source, target, state, progress, switchedAt, endedAt } = move;
  return {
    id,
    source,
    target,
    state,
    problem: progress.problem ?? null,
    progress: {
      copied_rows: progress.copied,
      changed_rows: progress.changed,
      compared_rows: progress.compared,
      repaired_rows: progress.repaired,
      held: progress.attempts,
    },
    created_at: iso(move.createdAt),
    switched_at: isoOrNull(switchedAt),
    undoable_until: isoOrNull(
      switchedAt === null || endedAt !== null ? null : switchedAt + OLD_COPY_RETENTION_MS,
    ),
    ended_at: isoOrNull(endedAt),
  };
}
