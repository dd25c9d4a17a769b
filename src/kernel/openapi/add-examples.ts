import { ERRORS, type ErrorCode } from '../core/errors.ts';
import type { Endpoint, EndpointSpec } from '../http/endpoint.ts';
import { statusOf } from '../http/problem.ts';
import { codesOf } from './operation.ts';

/** An example without its types, as the document's generator reads it. */
interface AnyExample {
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly query?: Readonly<Record<string, string | number>> | undefined;
  readonly body?: unknown;
  readonly answer?: unknown;
  /** The media type that the body is of, where an endpoint takes several. */
  readonly mediaType?: string;
  readonly summary?: string;
}

interface Media {
  example?: unknown;
  examples?: Record<string, unknown>;
}
type Content = Record<string, Media>;
interface Operation {
  parameters?: { in: string; name: string; example?: unknown }[];
  requestBody?: { content: Content };
  responses: Record<string, { content?: Content }>;
}
interface Document {
  paths?: Record<string, Record<string, Operation>>;
  components?: Record<string, Record<string, unknown>>;
}

/**
 * Adds the examples of every endpoint to its operation in a document that consists of plain JSON, and to its
 * error responses one example for each code.
 */
export function addExamples(document: object, endpoints: readonly Endpoint[]): void {
  const { paths = {}, components = {} }: Document = document;
  const codes = new Set(endpoints.flatMap(({ spec }) => codesOf(spec)));
  components.examples = Object.fromEntries([...codes].map((code) => [code, { value: problemExample(code) }]));
  for (const { spec } of endpoints) {
    const operation = paths[spec.path]?.[spec.method];
    if (!operation) continue;
    addOwn(operation, spec);
    for (const code of new Set(codesOf(spec))) {
      const media = operation.responses[statusOf(code)]?.content?.['application/json'];
      if (media) media.examples = { ...media.examples, [code]: { $ref: `#/components/examples/${code}` } };
    }
  }
}

/** Returns an error response with the code's default message. */
const problemExample = (code: ErrorCode): object => ({
  message: ERRORS[code][1],
  code,
  request_id: '7d0f5a0e-6f52-4f0c-9d3a-3f1f3c1b8a57',
  ...(code === 'validation_error' && { errors: { name: ['is not a known field'] } }),
});

function addOwn(operation: Operation, spec: EndpointSpec): void {
  const examples: Record<string, AnyExample> = spec.examples?.() ?? {};
  const one: AnyExample | undefined = spec.example?.();
  const first = one ?? Object.values(examples)[0];
  for (const parameter of operation.parameters ?? []) {
    const value = { path: first?.params, query: first?.query }[parameter.in]?.[parameter.name];
    if (value !== undefined) parameter.example = value;
  }
  const answers = operation.responses[spec.status ?? 200]?.content;
  addContent(operation.requestBody?.content, 'body', { one, examples });
  addContent(answers, 'answer', { one, examples });
}

/** An endpoint's examples: one without a name, or several named ones. */
interface OwnExamples {
  readonly one: AnyExample | undefined;
  readonly examples: Readonly<Record<string, AnyExample>>;
}

/** Adds the bodies or the answers of an endpoint's examples. */
function addContent(
  content: Content | undefined,
  part: 'body' | 'answer',
  { one, examples }: OwnExamples,
): void {
  for (const [mediaType, media] of Object.entries(content ?? {})) {
    // The other media type of an answer is CSV, whose columns its schema describes.
    const own = part === 'body' ? (one?.mediaType ?? mediaType) : 'application/json';
    if (part === 'answer' && mediaType !== own) continue;
    if (one && mediaType === own) media.example = one[part];
    else if (Object.keys(examples).length > 0) {
      media.examples = Object.fromEntries(
        Object.entries(examples).map(([name, { summary, [part]: value }]) => [name, { summary, value }]),
      );
    }
  }
}
