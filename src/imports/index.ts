export { abandonImports, consumeImports, sweepImports } from './queue.ts';
export { Import, ImportStarted, MAX_FILE } from './schemas.ts';
