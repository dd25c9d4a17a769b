export { advanceMoves, forgetMoves } from './advance-move.ts';
export { MoveList, TenantMove } from './schemas.ts';
