/** Products as columns, in segments of neighbouring ids: in memory and in the object's storage. */
export {
  addBit,
  type Bits,
  countBits,
  eachBit,
  emptyBits,
  hasBit,
  intersect,
  removeBit,
  subtract,
  unite,
} from './bits.ts';
export type { CategoryTree } from './category-tree.ts';
export { byCodePoint } from './code-points.ts';
export { IndexContent } from './content.ts';
export type { Terms } from './dictionary.ts';
export { firstPlace } from './first-place.ts';
export type { Column, Matching, Segment, SortColumn } from './segment.ts';
export { sizeOf } from './segment-data.ts';
export { type IndexState, IndexStorage, type StoredChanges } from './storage.ts';
export { addProductsWith, type TextData, type WordList } from './words.ts';
