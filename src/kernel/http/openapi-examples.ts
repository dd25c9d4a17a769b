import type { z } from '@hono/zod-openapi';
import type { Endpoint } from './endpoint.ts';

/** The schemas of an endpoint that its examples must satisfy. A schema it lacks is absent or `never`. */
interface Schemas {
  readonly params?: z.ZodType;
  readonly query?: z.ZodType;
  readonly body?: z.ZodType;
  readonly answer?: z.ZodType;
}

type Given<S, Key extends string> = S extends { readonly [K in Key]: infer Part } ? Part : never;
type Field<Key extends string, Schema, Value> = [Schema] extends [z.ZodVoid]
  ? { readonly [K in Key]?: undefined }
  : { readonly [K in Key]: Value };
type Names<Schema> = Schema extends z.ZodType ? keyof z.input<Schema> : never;
type Input<Schema> = Schema extends z.ZodType ? z.input<Schema> : never;
type Output<Schema> = Schema extends z.ZodType ? z.output<Schema> : never;

type Params<Schema> = Readonly<Record<Names<Schema>, string | number>>;
/** The body of a stream is its text. */
type Body<Schema> = [Schema] extends [never] ? { readonly body?: string } : { readonly body: Input<Schema> };

/** One request and its response, checked against the endpoint's schemas. Parameters as OpenAPI types them. */
export type Example<S extends Schemas> = Body<Given<S, 'body'>> &
  Field<'params', Given<S, 'params'>, Params<Given<S, 'params'>>> &
  Field<'answer', Given<S, 'answer'>, Output<Given<S, 'answer'>>> & {
    readonly query?: Partial<Params<Given<S, 'query'>>>;
  };

/** Several examples by name, each with a summary that the API reference shows in a list. */
export type NamedExamples<S extends Schemas> = Readonly<
  Record<string, Example<S> & { readonly summary: string }>
>;

/** An example without its types, as the document's generator reads it. */
interface AnyExample {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  readonly answer?: unknown;
  readonly summary?: string;
}

type Content = Record<string, Record<string, unknown>>;
interface Operation {
  parameters?: { in: string; name: string; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
interface Document {
  paths?: Record<string, Record<string, Operation>>;
}

/** Adds the examples of every endpoint to its operation in a document that consists of plain JSON. */
export function addExamples(document: object, endpoints: readonly Endpoint[]): void {
  const { paths = {} }: Document = document;
  for (const { spec } of endpoints) {
    const operation = paths[spec.path]?.[spec.method];
    if (!operation) continue;
    const examples: Record<string, AnyExample> = spec.examples?.() ?? {};
    const one: AnyExample | undefined = spec.example?.();
    const first = one ?? Object.values(examples)[0];
    for (const parameter of operation.parameters ?? []) {
      const value = { path: first?.params, query: first?.query }[parameter.in]?.[parameter.name];
      if (value !== undefined) parameter.example = value;
    }
    const answers = operation.responses[spec.status ?? 200]?.content;
    addContent(operation.requestBody?.content, one, examples, 'body');
    addContent(answers, one, examples, 'answer');
  }
}

function addContent(
  content: Content | undefined,
  one: AnyExample | undefined,
  examples: Readonly<Record<string, AnyExample>>,
  part: 'body' | 'answer',
): void {
  for (const media of Object.values(content ?? {})) {
    if (one) media.example = one[part];
    else if (Object.keys(examples).length > 0) {
      media.examples = Object.fromEntries(
        Object.entries(examples).map(([name, { summary, [part]: value }]) => [name, { summary, value }]),
      );
    }
  }
}
