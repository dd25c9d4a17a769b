export { forgetGoneDocuments, forgetWords } from './forget.ts';
export { consumeSearchQueue, rebuildForDead, type SearchMessage, startRebuild } from './indexing/indexer.ts';
export { searchProducts } from './query/search-products.ts';
export { catalogProgress, deleteIndexRound, indexCopy } from './relocate.ts';
