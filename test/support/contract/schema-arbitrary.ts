import fc from 'fast-check';

/** A JSON schema, in the parts of 2020-12 that our OpenAPI document uses for requests. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | Schema;
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly format?: string;
  readonly minimum?: number;
  readonly maximum?: number;
}

/** The components that a `$ref` names. */
export type Components = Readonly<Record<string, Schema>>;

/** Objects inside each other that are generated; deeper optional parts are left out. */
const MAX_DEPTH = 5;
/** Longer lists and texts come from `hostile.ts`, where a limit is what is tested. */
const MAX_ITEMS = 3;
const MAX_CHARACTERS = 60;

/** Returns values that a schema describes, as far as a schema can: ids among them name nothing. */
export function arbitraryOf(schema: Schema, components: Components, depth = 0): fc.Arbitrary<unknown> {
  const inner = (one: Schema) => arbitraryOf(one, components, depth + 1);
  if (schema.$ref !== undefined) {
    const found = components[schema.$ref.split('/').at(-1) ?? ''];
    if (!found) throw new Error(`${schema.$ref} is not in the document`);
    return arbitraryOf(found, components, depth);
  }
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum) return fc.constantFrom(...schema.enum);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return fc.oneof(...choices.map((one) => arbitraryOf(one, components, depth)));
  if (schema.allOf) {
    const parts = schema.allOf.map((one) => arbitraryOf(one, components, depth));
    return fc.tuple(...parts).map((values) => Object.assign({}, ...values));
  }
  if (Array.isArray(schema.type)) {
    return fc.oneof(...schema.type.map((type) => arbitraryOf({ ...schema, type }, components, depth)));
  }
  switch (schema.type) {
    case 'string':
      return text(schema);
    case 'integer':
      return integer(schema);
    case 'number':
      return fc.oneof(
        integer(schema),
        integer({ ...schema, maximum: 1_000 }).map((n) => n + 0.25),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const minLength = schema.minItems ?? 0;
      const maxLength = Math.max(minLength, Math.min(schema.maxItems ?? MAX_ITEMS, MAX_ITEMS));
      return fc.array(inner(schema.items ?? {}), { minLength, maxLength });
    }
    case 'object':
      return object(schema, inner, depth);
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
}

function object(schema: Schema, inner: (one: Schema) => fc.Arbitrary<unknown>, depth: number) {
  const required = schema.required ?? [];
  const shape = Object.entries(schema.properties ?? {})
    .filter(([name]) => depth < MAX_DEPTH || required.includes(name))
    .map(([name, one]) => [name, inner(one)] as const);
  const own = fc.record(Object.fromEntries(shape), { requiredKeys: [...required] });
  const more = schema.additionalProperties;
  if (typeof more !== 'object' || depth >= MAX_DEPTH) return own;
  const others = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), inner(more), { maxKeys: MAX_ITEMS });
  return fc.tuple(own, others).map(([a, b]) => ({ ...b, ...a }));
}

function integer({ minimum = 0, maximum = 100_000 }: Schema): fc.Arbitrary<number> {
  const min = Math.max(minimum, -1e9);
  return fc.integer({ min, max: Math.max(min, Math.min(maximum, 1e9)) });
}

function text({ format, pattern, minLength = 0, maxLength = MAX_CHARACTERS }: Schema): fc.Arbitrary<string> {
  if (format === 'date-time') {
    const [min, max] = [new Date('2020-01-01'), new Date('2035-01-01')];
    return fc.date({ min, max, noInvalidDate: true }).map((date) => date.toISOString());
  }
  if (format === 'email') return fc.stringMatching(/^[a-z]{1,8}@[a-z]{1,8}\.example$/);
  // fast-check makes no text for a pattern with an assertion about what follows.
  if (pattern !== undefined && !pattern.includes('(?!') && !pattern.includes('(?=')) {
    return fc.stringMatching(new RegExp(pattern, 'u'));
  }
  const most = Math.max(minLength, Math.min(maxLength, MAX_CHARACTERS));
  return fc.oneof(
    fc.string({ minLength, maxLength: most }),
    fc.string({ minLength, maxLength: Math.max(minLength, Math.floor(most / 2)), unit: 'grapheme' }),
    fc.constantFrom('https://shop.example.com/a', 'EUR', 'espresso').filter((one) => one.length <= maxLength),
  );
}
