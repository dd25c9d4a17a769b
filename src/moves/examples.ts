import type { Example } from '../kernel/openapi/example.ts';
import type { SlugParam } from '../tenants/index.ts';
import type { MoveList, MoveParams, MoveRequest, TenantMove } from './schemas.ts';

const params = { slug: 'kaffee-und-kette' };
const id = 'mov_8Kc2VtWq0LxYbN5dRz7HfPa1';

const begun = (): TenantMove => ({
  id,
  source: 'SHARD_01',
  target: 'SHARD_02',
  state: 'preparing',
  problem: null,
  progress: { copied_rows: 0, changed_rows: 0, compared_rows: 0, repaired_rows: 0, held: 0 },
  created_at: '2026-11-23T09:00:00.000Z',
  switched_at: null,
  undoable_until: null,
  ended_at: null,
});

const switched = (): TenantMove => ({
  ...begun(),
  state: 'switched',
  progress: { copied_rows: 48_211, changed_rows: 913, compared_rows: 48_260, repaired_rows: 0, held: 1 },
  switched_at: '2026-11-23T09:03:12.480Z',
  undoable_until: '2026-11-24T09:03:12.480Z',
});

/** Examples of the endpoints that move tenants between shards. */
export const moveExamples = {
  start: (): Example<{ params: typeof SlugParam; body: typeof MoveRequest; answer: typeof TenantMove }> => ({
    params,
    body: { shard: 'SHARD_02' },
    answer: begun(),
  }),
  list: (): Example<{ params: typeof SlugParam; answer: typeof MoveList }> => ({
    params,
    answer: { data: [switched()] },
  }),
  get: (): Example<{ params: typeof MoveParams; answer: typeof TenantMove }> => ({
    params: { ...params, id },
    answer: switched(),
  }),
  cancel: (): Example<{ params: typeof MoveParams; answer: typeof TenantMove }> => ({
    params: { ...params, id },
    answer: { ...begun(), state: 'cancelling' },
  }),
  undo: (): Example<{ params: typeof MoveParams; answer: typeof TenantMove }> => ({
    params: { ...params, id },
    answer: {
      ...begun(),
      id: 'mov_T3mXe9QvB6nJ0sGyUw4DkZr2',
      source: 'SHARD_02',
      target: 'SHARD_01',
      created_at: '2026-11-23T15:30:00.000Z',
    },
  }),
};
