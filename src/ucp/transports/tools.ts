import { z } from '@hono/zod-openapi';
import { operations } from '../operations.ts';
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
}

let listed: readonly Tool[] | null = null;

/** Returns the tools with their input schemas (JSON Schema 2020-12). Made on first use. */
export function tools(): readonly Tool[] {
  listed ??= operations.map(({ spec }) => ({
    name: spec.name,
    description: spec.summary,
    inputSchema: inputSchemaOf(spec),
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
