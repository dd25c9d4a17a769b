import { type Database, directory, shardDatabase } from '../kernel/data/database.ts';
import type { Runtime } from '../kernel/data/tenant-context.ts';
import { isShardName, type ShardName, shardBinding } from '../kernel/shards/shard-names.ts';
import type { CopyContext } from './copy/shard-rows.ts';
import type { MoveProgress, MoveState } from './progress.ts';
import type { MoveRow } from './tables.ts';

/** What one step of a move runs with. */
export interface StepContext extends Runtime {
  readonly move: MoveRow;
  readonly directory: Database;
  readonly copyContext: CopyContext;
  /** The rows and the search index of both shards. */
  readonly source: ShardStores;
  readonly target: ShardStores;
}

/** The two databases of a shard. */
export interface ShardStores {
  readonly name: ShardName;
  readonly rows: Database;
  readonly search: D1Database;
  /** Whether the rows are in the directory's database: the shard is not bound apart. */
  readonly inDirectory: boolean;
}

/** How a step ended: the state and the progress that follow. */
export interface StepEnd {
  readonly state: MoveState;
  readonly progress: MoveProgress;
  /** Whether the next step has to wait for the next minute. */
  readonly wait?: boolean;
  /** Whether the next step makes no pause before: changes that gather in it would have to be copied first. */
  readonly urgent?: boolean;
}

/** Takes a move a bounded step further. */
export type Step = (ctx: StepContext) => Promise<StepEnd>;

/** Returns the context of a claimed step. */
export function stepContext(runtime: Runtime, move: MoveRow): StepContext {
  const { env } = runtime;
  const [source, target] = [storesOf(env, move.source), storesOf(env, move.target)];
  return {
    ...runtime,
    move,
    source,
    target,
    directory: directory(env),
    copyContext: {
      tenantId: move.tenantId,
      epoch: move.epoch,
      source: source.rows.$client,
      target: target.rows.$client,
      entersDirectory: target.inDirectory,
    },
  };
}

function storesOf(env: Env, name: string): ShardStores {
  if (!isShardName(name)) throw new Error(`${name} is no shard`);
  const inDirectory = !Reflect.has(env, name);
  return { name, rows: shardDatabase(env, name), search: shardBinding(env, name, 'search'), inDirectory };
}
