/**
 * The states of a move, in order: the target is cleared of an earlier copy; rows are copied; their changes are copied;
 * both copies are compared; search is built; writes are held and the tenant is switched; a day later the old copy is
 * deleted. A move that is cancelled deletes its copy first.
 */
export const MOVE_STATES = [
  'preparing',
  'copying',
  'catching_up',
  'comparing',
  'indexing',
  'holding',
  'switched',
  'deleting',
  'ended',
  'cancelling',
  'cancelled',
] as const;
/** One of {@link MOVE_STATES}. */
export type MoveState = (typeof MOVE_STATES)[number];

/** Returns whether a move in this state makes no further step. */
export const isOver = (state: MoveState): state is 'ended' | 'cancelled' =>
  state === 'ended' || state === 'cancelled';

/** A value of a stored row. No table of a tenant has a BLOB. */
export type Value = string | number | null;

/**
 * Why a move has not switched its tenant: rows change about as fast as they are copied or writes could not be held long
 * enough, or the copies differ.
 */
export const MOVE_PROBLEMS = ['busy', 'differs'] as const;
/** One of {@link MOVE_PROBLEMS}. */
export type MoveProblem = (typeof MOVE_PROBLEMS)[number];

/** How far a move has come. */
export interface MoveProgress {
  /** The current part of the copy or the comparison, and the key of its last row. */
  readonly part: number;
  readonly after: readonly Value[];
  /** Rows copied, changed rows copied after them, rows compared, and rows found to differ and copied again. */
  readonly copied: number;
  readonly changed: number;
  readonly compared: number;
  readonly repaired: number;
  /** How often a switch was tried: writes were held, or the sizes of the copies differed before. */
  readonly attempts: number;
  /** How many steps left more changes than the move goes on with. Moves that began with an earlier release lack it. */
  readonly behind?: number;
  /** Set while a running move is behind for too many steps, and when it is cancelled by itself. */
  readonly problem?: MoveProblem | null;
  /** The product up to which search is built at the target, and the catalogue's position when the copy began. */
  readonly indexed: number;
  readonly since: { readonly sequence: number; readonly version: number };
  /** Whether the switch was announced. */
  readonly announced: boolean;
}

/** The progress of a move that has not begun. */
export const NO_PROGRESS: MoveProgress = {
  part: 0,
  after: [],
  copied: 0,
  changed: 0,
  compared: 0,
  repaired: 0,
  attempts: 0,
  indexed: 0,
  since: { sequence: 0, version: 0 },
  announced: false,
};
