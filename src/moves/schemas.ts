import { z } from '@hono/zod-openapi';
import { rawText } from '../kernel/text/text.ts';
import { SlugParam } from '../tenants/index.ts';
import { MOVE_PROBLEMS, MOVE_STATES } from './progress.ts';

const Shard = rawText(8, {
  pattern: [/^SHARD_\d\d$/, 'must be the name of a shard, such as SHARD_02'],
}).openapi({ description: 'The name of a shard: of a binding of the deployment.', example: 'SHARD_02' });

export const MoveRequest = z
  .strictObject({ shard: Shard.openapi({ description: 'The shard that the tenant moves to.' }) })
  .openapi('TenantMoveRequest');

export const MoveParams = SlugParam.extend({
  id: rawText(40, { pattern: [/^mov_[A-Za-z0-9]+$/, 'must be the id of a move'] }).openapi({
    description: "The move's id.",
  }),
});

const count = z.int().min(0);
const instant = z.iso.datetime();

export const TenantMove = z
  .object({
    id: z.string(),
    source: Shard.openapi({ description: 'The shard that the tenant leaves.' }),
    target: Shard.openapi({ description: 'The shard that it joins.' }),
    state: z.enum(MOVE_STATES).openapi({
      description:
        '`preparing`, `copying`, `catching_up` (with what has changed since), `comparing`, `indexing` (search), `holding` (writes are 503 for at most two seconds), `switched`, and `deleting` (the old copy, a day later), `ended`; or `cancelling`, `cancelled`.',
    }),
    problem: z.enum(MOVE_PROBLEMS).nullable().openapi({
      description:
        'Why the tenant is not switched. `busy`: its rows change about as fast as they are copied, or its writes could not be held for long enough. The move goes on; cancel it, and move the tenant in a quieter hour. After ten tries to switch it is cancelled, as it is with `differs`: the copies differed.',
    }),
    progress: z.object({
      copied_rows: count,
      changed_rows: count.openapi({
        description: 'Rows that changed after they were copied, and were copied again.',
      }),
      compared_rows: count,
      repaired_rows: count.openapi({
        description: 'Rows that the comparison found to differ: copied again.',
      }),
      held: count.openapi({
        description:
          'How often a switch was tried: writes were held, or the sizes of the copies differed before.',
      }),
    }),
    created_at: instant,
    switched_at: instant.nullable(),
    undoable_until: instant
      .nullable()
      .openapi({ description: 'Until then the old copy is kept; null before the switch and after the end.' }),
    ended_at: instant.nullable(),
  })
  .openapi('TenantMove');
export type TenantMove = z.infer<typeof TenantMove>;

export const MoveList = z.object({ data: z.array(TenantMove) }).openapi('TenantMoveList');
