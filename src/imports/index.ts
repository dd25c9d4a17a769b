export { abandonImports, consumeImports, sweepImports } from './queue.ts';
