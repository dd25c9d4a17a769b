/**
 * Zod with `.openapi()`, for schemas that the OpenAPI document describes. Describing costs a clone and an entry of a
 * registry: the generator's own extension wraps nine methods of each described schema, a tenth of the Worker's start.
 */
import { type ZodOpenAPIMetadata, zodToOpenAPIRegistry } from '@asteasolutions/zod-to-openapi';
import { ZodDefault, ZodNullable, ZodOptional, ZodType } from 'zod';

export * from 'zod';

type Metadata = Partial<ZodOpenAPIMetadata>;

/** Returns a schema's metadata, or that of the schema which it makes optional, nullable or gives a default. */
function metadataOf(schema: unknown): object | undefined {
  if (!(schema instanceof ZodType)) return undefined;
  const own = zodToOpenAPIRegistry.get(schema);
  if (own && Object.keys(own).length > 0) return own;
  const wraps =
    schema instanceof ZodOptional || schema instanceof ZodNullable || schema instanceof ZodDefault;
  return wraps ? metadataOf(schema.def.innerType) : undefined;
}

/** Returns the schema with a name among the document's components, with metadata, or both. */
ZodType.prototype.openapi = function <Schema extends ZodType>(
  this: Schema,
  nameOrMetadata: string | Metadata,
  more: Metadata = {},
): Schema {
  const [refId, metadata] =
    typeof nameOrMetadata === 'string' ? [nameOrMetadata, more] : [undefined, nameOrMetadata];
  const described = this.clone();
  zodToOpenAPIRegistry.add(described, {
    ...metadataOf(this),
    ...metadata,
    ...(refId !== undefined && { _internal: { refId } }),
  });
  return described;
};
