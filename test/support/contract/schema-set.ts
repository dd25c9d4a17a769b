import { dereference, initialBaseURI, validate } from '@cfworker/json-schema';

/** Validates values against JSON schemas that refer to the components of one document. */
export class SchemaSet {
  readonly #schemas: ReturnType<typeof dereference>;
  readonly #resolved = new Set<object>();

  /** Resolves the components' references: once, as they are larger than any one schema that refers to them. */
  constructor(components: object) {
    this.#schemas = dereference({ components });
  }

  /** Returns where and why a value does not match a schema; empty when it matches. Throws for a broken reference. */
  faultsOf(schema: object, value: unknown): string[] {
    if (!this.#resolved.has(schema)) {
      dereference(schema, this.#schemas, initialBaseURI, `/resolved/${this.#resolved.size}`);
      this.#resolved.add(schema);
    }
    const { errors } = validate(value, schema, '2020-12', this.#schemas, false);
    return errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`);
  }
}
