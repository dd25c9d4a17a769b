import type { z } from '@hono/zod-openapi';

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
/** The body of a stream is its text, of this media type; by default, of any that the endpoint takes. */
type Body<Schema> = [Schema] extends [never]
  ? { readonly body?: string; readonly mediaType?: string }
  : { readonly body: Input<Schema> };

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
