import { exports } from 'cloudflare:workers';

/** The examples of the OpenAPI document as it is served. */

interface Media {
  readonly schema: object;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly summary: string; readonly value: unknown }>>;
}
type Content = Readonly<Record<string, Media>>;
export interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly required?: boolean;
  readonly schema: object;
  readonly example?: unknown;
}
interface Operation {
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content }>>;
  readonly security?: readonly object[];
}
interface Document {
  readonly webhooks: Readonly<Record<string, { readonly post: Operation }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly examples: Readonly<Record<string, { readonly value: unknown }>> };
}

/** Text or JSON with the schema that describes it; `value` is undefined without an example. */
export interface Stated {
  readonly schema: object;
  readonly value: unknown;
}

/** One example request and its answer; `name` is `POST /v1/products #simple`. */
export interface ExampleCall {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly mediaType: string | undefined;
  readonly body: Stated | undefined;
  readonly status: number;
  readonly answer: Stated | undefined;
  /** Whether the operation takes a customer's session. */
  readonly session: boolean;
}

/** Reads the document from the service: its example calls by name, and its example deliveries by event type. */
export async function documentExamples() {
  const response = await exports.default.fetch(new Request('https://api.example.com/v1/openapi.json'));
  // The document is plain JSON; these are the parts of OpenAPI 3.1 that are read here.
  const { paths, webhooks, components } = (await response.json()) as Document;
  const calls = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, operation]) =>
      callsOf(method.toUpperCase(), path, operation),
    ),
  );
  const events = Object.entries(webhooks).map(([type, { post }]) => [type, statedBody(post)] as const);
  return { components, calls: new Map(calls.map((call) => [call.name, call])), events: new Map(events) };
}

/** The body of an event, whose example is required. */
function statedBody({ requestBody }: Operation): Stated {
  const { schema, example } = requestBody?.content['application/json'] ?? { schema: {} };
  return { schema, value: example };
}

function callsOf(method: string, path: string, operation: Operation): ExampleCall[] {
  const { parameters = [], requestBody, responses, security = [] } = operation;
  const bodies = Object.entries(requestBody?.content ?? {});
  const [mediaType, body] = bodies.find(([, { example }]) => example !== undefined) ?? bodies[0] ?? [];
  const status = Number(Object.keys(responses).find((code) => code.startsWith('2')));
  const answer = Object.values(responses[status]?.content ?? {})[0];
  const session = security.some((one) => 'customerSession' in one);
  const names = Object.keys(answer?.examples ?? {});
  return (names.length > 0 ? names : [undefined]).map((name) => ({
    name: `${method} ${path}${name ? ` #${name}` : ''}`,
    method,
    path,
    parameters,
    mediaType,
    status,
    session,
    body: body && { schema: body.schema, value: exampleOf(body, name) },
    answer: answer && { schema: answer.schema, value: exampleOf(answer, name) },
  }));
}

const exampleOf = (media: Media, name: string | undefined): unknown =>
  name === undefined ? media.example : media.examples?.[name]?.value;
