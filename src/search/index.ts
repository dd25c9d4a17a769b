export { consumeSearch, type SearchMessage, startRebuild } from './consume.ts';
export type { SearchDocument } from './document.ts';
export { type RebuildCursor, rebuild, rebuildStep, type Source } from './rebuild.ts';
export { find, type Hits, type Removal, remove, type SearchDatabase, upsert } from './store.ts';
