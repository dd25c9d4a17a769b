/** Stands in the bundle for parts of zod that nothing here calls: 12 KiB of it, gzipped. */

export const fromJSONSchema = undefined;
export const deepPartial = undefined;
export const input = undefined;
export const output = undefined;

export const INVALID = undefined;
export const compile = undefined;
export const withParser = undefined;
export const ZodCompileAsyncError = undefined;
export const ZodCompileUnsupportedError = undefined;
