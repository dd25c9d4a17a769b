/** Stands in the bundle for parts of zod that nothing here calls: 11 KiB of it, gzipped. */

export const fromJSONSchema = undefined;

export const INVALID = undefined;
export const compile = undefined;
export const withParser = undefined;
export const ZodCompileAsyncError = undefined;
export const ZodCompileUnsupportedError = undefined;
