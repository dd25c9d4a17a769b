/** What has changed of a tenant's products and categories since a position, as the index follows it. */
export {
  type DocumentFacet,
  type DocumentItem,
  type DocumentRow,
  type DocumentText,
  documentOf,
  nextDocuments,
  type ProductDocument,
  WORD_FIELDS,
  type WordField,
} from './documents.ts';
export {
  type Changes,
  changedProductIds,
  countItems,
  type IndexedCategory,
  type IndexPosition,
  readChanges,
  readTree,
} from './read-changes.ts';
