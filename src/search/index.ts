export { forgetGoneDocuments, forgetWords } from './forget.ts';
export type { SearchDocument } from './indexing/document.ts';
export { consumeSearchQueue, rebuildForDead, type SearchMessage, startRebuild } from './indexing/indexer.ts';
export { type RebuildCursor, rebuildStep, type Source } from './indexing/rebuild.ts';
export { remove, upsert } from './indexing/write-documents.ts';
export { find, type Hits } from './query/find.ts';
export { searchProducts } from './query/search-products.ts';
export { catalogProgress, deleteIndexRound, indexCopy } from './relocate.ts';
