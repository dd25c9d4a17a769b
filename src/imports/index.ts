export { abandonImports, consumeImports, forgetImports, resumeImports } from './queue.ts';
export { Import, ImportList, type ImportMessage, ImportStarted, MAX_FILE_BYTES } from './schemas.ts';
