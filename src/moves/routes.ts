import type { z } from '@hono/zod-openapi';
import { fail, ok, type Result } from '../kernel/core/result.ts';
import { directory } from '../kernel/data/database.ts';
import { type Endpoint, endpoint } from '../kernel/http/endpoint.ts';
import { tenantIdOf } from '../kernel/shards/placements.ts';
import { SlugParam } from '../tenants/index.ts';
import { moveExamples } from './examples.ts';
import { presentMove } from './present.ts';
import { cancelMove, type MoveOf, moveOf, requestMove, undoMove } from './request-move.ts';
import { MoveList, MoveParams, MoveRequest, TenantMove } from './schemas.ts';
import { movesOf } from './store.ts';
import type { MoveRow } from './tables.ts';

const PLATFORM = { tag: 'Platform: moving tenants', access: 'platform' } as const;
const path = '/admin/v1/tenants/{slug}/moves';

async function tenantOf(env: Env, slug: string): Promise<Result<number>> {
  const tenantId = await tenantIdOf(env, slug);
  return tenantId === null ? fail('tenant_not_found') : ok(tenantId);
}

const presented = (move: Result<MoveRow>): Result<TenantMove> =>
  move.ok ? ok(presentMove(move.value)) : move;

/** Returns the handler of an endpoint that reads or changes the move that its path names. */
const ofNamedMove =
  (work: (env: Env, move: MoveOf) => Promise<Result<MoveRow>>) =>
  async ({ env, params }: NamedMove): Promise<Result<TenantMove>> => {
    const tenant = await tenantOf(env, params.slug);
    if (!tenant.ok) return tenant;
    return presented(await work(env, { tenantId: tenant.value, id: params.id }));
  };

interface NamedMove {
  readonly env: Env;
  readonly params: z.infer<typeof MoveParams>;
}

const start = endpoint(
  {
    ...PLATFORM,
    method: 'post',
    path,
    id: 'startTenantMove',
    summary: 'Move a tenant to another shard',
    description:
      'Copies the tenant in the background while it serves, then holds its writes for at most two seconds (503 with `Retry-After: 2`; reads go on) and switches it. Ids, tokens, cursors and carts stay. Begins within a minute. A tenant makes one move at a time, the platform two. A shard with 7.5 GiB or more is refused. A repeated call returns the move under way.',
    params: SlugParam,
    body: MoveRequest,
    status: 201,
    answer: TenantMove,
    errors: ['tenant_not_found', 'move_running', 'conflict'],
    example: moveExamples.start,
  },
  async ({ env, params, body }) => {
    const tenant = await tenantOf(env, params.slug);
    if (!tenant.ok) return tenant;
    return presented(await requestMove(env, { tenantId: tenant.value, shard: body.shard }));
  },
);

const list = endpoint(
  {
    ...PLATFORM,
    method: 'get',
    path,
    id: 'listTenantMoves',
    summary: "List a tenant's moves",
    description: 'The newest 50 of the last 90 days, newest first.',
    params: SlugParam,
    answer: MoveList,
    errors: ['tenant_not_found'],
    example: moveExamples.list,
  },
  async ({ env, params }) => {
    const tenant = await tenantOf(env, params.slug);
    if (!tenant.ok) return tenant;
    return ok({ data: (await movesOf(directory(env), tenant.value)).map(presentMove) });
  },
);

const get = endpoint(
  {
    ...PLATFORM,
    method: 'get',
    path: `${path}/{id}`,
    id: 'getTenantMove',
    summary: 'Get a move, with its progress',
    params: MoveParams,
    answer: TenantMove,
    errors: ['tenant_not_found', 'move_not_found'],
    example: moveExamples.get,
  },
  ofNamedMove(moveOf),
);

const cancel = endpoint(
  {
    ...PLATFORM,
    method: 'post',
    path: `${path}/{id}/cancel`,
    id: 'cancelTenantMove',
    summary: 'Cancel a move',
    description:
      'Before the switch only: the tenant stays where it is, and the copy is deleted. Can be repeated.',
    params: MoveParams,
    answer: TenantMove,
    errors: ['tenant_not_found', 'move_not_found', 'move_over'],
    example: moveExamples.cancel,
  },
  ofNamedMove(cancelMove),
);

const undo = endpoint(
  {
    ...PLATFORM,
    method: 'post',
    path: `${path}/{id}/undo`,
    id: 'undoTenantMove',
    summary: 'Undo a move',
    description:
      'Within a day of the switch: starts a move back to the shard that the tenant left, with what has been written since. It begins a minute after the switch at the earliest. A repeated call returns that move while it is under way.',
    params: MoveParams,
    status: 201,
    creates: path,
    answer: TenantMove,
    errors: ['tenant_not_found', 'move_not_found', 'move_running', 'move_over', 'conflict'],
    example: moveExamples.undo,
  },
  ofNamedMove(undoMove),
);

/** The endpoints that move a tenant to another shard. */
export const moveEndpoints: readonly Endpoint[] = [start, list, get, cancel, undo];
