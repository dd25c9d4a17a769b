/** A part of the OpenAPI document: plain JSON. */
type Json = null | boolean | number | string | Json[] | { [key: string]: Json };
type Schema = { [key: string]: Json };

const isSchema = (part: Json | undefined): part is Schema =>
  part !== null && typeof part === 'object' && !Array.isArray(part);

const NAMED = '#/components/schemas/';

/** The largest integer of 32 bits, which generated clients read an integer without a `format` into. */
const MAX_INT32 = 2 ** 31 - 1;

/**
 * Returns the OpenAPI document without the generator's `allOf`. A schema that extends a named one is inlined,
 * because two schemas with `additionalProperties: false` in an `allOf` refuse each other's properties. A
 * nullable named schema becomes an `anyOf`. Named schemas that nothing refers to any more are removed. An integer that
 * may need more than 32 bits, such as an id of a later shard, has the format `int64`.
 */
export function plainSchemas<Document extends object>(document: Document): Document {
  // The generator's objects are JSON, class instances aside.
  const json = JSON.parse(JSON.stringify(document)) as Schema;
  const components = isSchema(json.components) ? json.components : {};
  const named = isSchema(components.schemas) ? components.schemas : {};
  // The result is still an OpenAPI document.
  return withoutUnused(plainParts(json, named)) as unknown as Document;
}

/** Removes unreferenced named schemas, repeatedly until none is left. */
function withoutUnused(document: Schema): Schema {
  const { components } = document;
  if (!isSchema(components) || !isSchema(components.schemas)) return document;
  const text = JSON.stringify(document);
  const schemas = Object.entries(components.schemas);
  const used = schemas.filter(([name]) => text.includes(`"${NAMED}${name}"`));
  if (used.length === schemas.length) return document;
  return withoutUnused({ ...document, components: { ...components, schemas: Object.fromEntries(used) } });
}

function plain(part: Json, named: Schema): Json {
  if (Array.isArray(part)) return part.map((one) => plain(one, named));
  if (!isSchema(part)) return part;
  const { allOf, ...rest } = part;
  const [base, own] = Array.isArray(allOf) && allOf.length === 2 ? allOf : [];
  if (!isSchema(base) || !isSchema(own) || typeof base.$ref !== 'string') return plainParts(part, named);
  if (isSchema(own.properties)) return plainParts({ ...extended(base.$ref, own, named), ...rest }, named);
  const { type, ...notes } = own;
  const nullable = Array.isArray(type) && type.includes('null');
  return { ...(nullable ? { anyOf: [base, { type: 'null' }] } : base), ...notes, ...rest };
}

const plainParts = (schema: Schema, named: Schema): Schema => ({
  ...Object.fromEntries(Object.entries(schema).map(([key, part]) => [key, plain(part, named)])),
  ...(isWide(schema) && { format: 'int64' }),
});

const isWide = ({ type, maximum }: Schema): boolean =>
  [type].flat().includes('integer') && !(typeof maximum === 'number' && maximum <= MAX_INT32);

/** Returns a named object schema with the properties that `own` adds or replaces. */
function extended(ref: string, own: Schema, named: Schema): Schema {
  const found = named[ref.slice(NAMED.length)];
  const base = isSchema(found) ? plain(found, named) : null;
  if (!isSchema(base) || !isSchema(base.properties) || !isSchema(own.properties)) {
    throw new Error(`${ref} can't be extended`);
  }
  const required = [base.required, own.required].flatMap((names) => (Array.isArray(names) ? names : []));
  return {
    ...base,
    ...own,
    properties: { ...base.properties, ...own.properties },
    ...(required.length > 0 ? { required: [...new Set(required)] } : {}),
  };
}
