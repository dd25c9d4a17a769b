import { z } from '@hono/zod-openapi';
import { operations } from '../operations.ts';
import { documentsOf } from '../protocol/capabilities.ts';
import type { OperationSpec } from '../protocol/operation.ts';

const Meta = z.looseObject({
  'ucp-agent': z.looseObject({ profile: z.unknown() }).optional(),
  'idempotency-key': z.string().optional(),
});

/** The arguments of a tool: metadata, the id of a resource, and the payload under its own name. */
export const ToolArguments = z.looseObject({ meta: Meta.optional(), id: z.unknown().optional() });
export type ToolArguments = z.infer<typeof ToolArguments>;

/** A tool as `tools/list` describes it. */
interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema: object;
}

let listed: readonly Tool[] | null = null;

/** Returns the tools with their schemas (JSON Schema 2020-12). Made on first use. */
export function tools(): readonly Tool[] {
  listed ??= operations.map(({ spec }) => ({
    name: spec.name,
    description: spec.summary,
    inputSchema: inputSchemaOf(spec),
    outputSchema: outputSchemaOf(spec),
  }));
  return listed;
}

function inputSchemaOf({ path, argument, input, key }: OperationSpec): object {
  const needsId = path.includes('{id}');
  const { $schema: _, ...payload } = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  return {
    type: 'object',
    required: ['meta', ...(needsId ? ['id'] : []), ...(argument === null ? [] : [argument])],
    properties: {
      meta: metaSchema(key),
      ...(needsId && { id: { type: 'string', description: 'The id of the resource.' } }),
      ...(argument !== null && { [argument]: payload }),
    },
  };
}

/**
 * Returns the schema of a tool's structured content: the envelope with the operation's value, or with messages. It
 * stands alone, because clients compile it without fetching anything; the official schema is named in its description.
 */
function outputSchemaOf({ output, capability }: OperationSpec): object {
  const value = z.toJSONSchema(output, { io: 'input', unrepresentable: 'any' });
  const branch = (status: string, required: readonly string[] = []) => ({
    properties: { ucp: { properties: { status: { const: status } } } },
    required,
  });
  return {
    type: 'object',
    description: `As ${documentsOf(capability).schema} with the active extensions, or an error_response.`,
    required: ['ucp'],
    properties: {
      ...ERROR_PROPERTIES,
      ...value.properties,
      ucp: {
        type: 'object',
        required: ['version', 'status', 'capabilities'],
        properties: { version: { type: 'string' }, status: { type: 'string', enum: ['success', 'error'] } },
      },
    },
    anyOf: [branch('success', value.required), branch('error', ['messages'])],
  };
}

/** What the outcome of an operation without a result has. */
const ERROR_PROPERTIES = {
  messages: { type: 'array', minItems: 1, items: { type: 'object' } },
  continue_url: { type: 'string', format: 'uri' },
};

const metaSchema = (key: OperationSpec['key']) => ({
  type: 'object',
  required: ['ucp-agent', ...(key === 'required' ? ['idempotency-key'] : [])],
  properties: {
    'ucp-agent': {
      type: 'object',
      required: ['profile'],
      properties: {
        profile: { type: 'string', format: 'uri', description: "The URL of the platform's UCP profile." },
      },
    },
    ...(key !== 'none' && {
      'idempotency-key': { type: 'string', description: 'A retry with the same key has one effect.' },
    }),
  },
});
