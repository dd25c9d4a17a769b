/** What the generator reads and writes of a JSON Schema. */
export interface Schema {
  readonly $ref?: string;
  readonly 'x-comma-separated'?: true;
  readonly additionalProperties?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly enum?: readonly string[];
  readonly oneOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly type?: string | readonly string[];
  readonly maximum?: number;
}

/** The field that every product of a type has. */
const FIELD_OF_TYPE: Readonly<Record<string, string>> = {
  configurable: 'variants',
  downloadable: 'links',
  grouped: 'grouped',
  bundled: 'bundle_groups',
  booking: 'booking',
};

/**
 * Returns the schema of a product as one alternative for each type with a field of its own, so that a check of
 * `type` tells TypeScript that the field is there. Only here: other generators lose fields beside a `oneOf`.
 */
export function byProductType(product: Schema): Schema {
  const types = product.properties?.type?.enum ?? [];
  const plain = types.filter((type) => FIELD_OF_TYPE[type] === undefined);
  const own = Object.entries(FIELD_OF_TYPE).map(([type, field]) => {
    const schema = product.properties?.[field];
    if (!types.includes(type) || !schema) throw new Error(`No product is ${type} and has ${field}`);
    return alternative([type], { [field]: schema });
  });
  return { ...product, oneOf: [alternative(plain, {}), ...own] };
}

/** Returns the schema of a product of one of these types, which has these fields. */
const alternative = (types: readonly string[], fields: Readonly<Record<string, Schema>>): Schema => ({
  type: 'object',
  properties: { type: { type: 'string', enum: types }, ...fields },
  required: ['type', ...Object.keys(fields)],
});
