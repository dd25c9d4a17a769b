/** What has changed of a tenant's products and categories since a position, as the index follows it. */
export {
  type DocumentFacet,
  type DocumentItem,
  type DocumentRow,
  documentOf,
  documentRows,
  type ProductDocument,
} from './documents.ts';
export {
  type Changes,
  countProducts,
  type IndexedCategory,
  type IndexPosition,
  MAX_CHANGES_PER_READ,
  readChanges,
  readTree,
} from './read-changes.ts';
