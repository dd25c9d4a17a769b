export type { SearchDocument } from './document.ts';
export { forgetGoneDocuments, forgetWords } from './forget.ts';
export { consumeSearchQueue, rebuildForDead, type SearchMessage } from './indexer.ts';
export { type RebuildCursor, rebuildStep, type Source } from './rebuild.ts';
export { find, type Hits, remove, upsert } from './store.ts';
