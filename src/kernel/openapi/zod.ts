/**
 * zod with the method `openapi`, for the schemas that the OpenAPI document describes. Import it, and zod itself, as a
 * namespace (`import * as z`): of an object `z` the bundle would have to hold everything, all languages included.
 */
import { extendZodWithOpenApi } from '@asteasolutions/zod-to-openapi';
import * as z from 'zod';

// The library asks for all of zod, and extends ZodType alone.
extendZodWithOpenApi({ ZodType: z.ZodType } as unknown as typeof z);

export * from 'zod';
