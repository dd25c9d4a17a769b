export { abandonImports, consumeImports, sweepImports } from './queue.ts';
export { Import, ImportList, ImportStarted, MAX_FILE } from './schemas.ts';
