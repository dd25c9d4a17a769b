import type { z } from '@hono/zod-openapi';
import type { UcpContext } from '../context.ts';
import type { RootName } from './capabilities.ts';
import type { UcpResult } from './outcome.ts';

/** What an operation works on: the resource's id (empty without one) and the validated payload. */
export interface OperationInput<Input> {
  readonly id: string;
  readonly input: Input;
}

/** The declaration of an operation, from which its REST route and its MCP tool are made. */
export interface OperationSpec<Input extends z.ZodType = z.ZodType, Output extends z.ZodType = z.ZodType> {
  /** The MCP tool, which the OpenRPC document calls the method. */
  readonly name: string;
  readonly capability: RootName;
  readonly method: 'get' | 'post' | 'put';
  /** The path below `/ucp/{tenant}`, with `{id}` where it names a resource. */
  readonly path: `/${string}`;
  readonly summary: string;
  /** The argument of the MCP tool that holds the payload, which over REST is the body; null without a payload. */
  readonly argument: 'catalog' | 'cart' | 'checkout' | null;
  /** Schema of the payload. The protocol allows unknown fields, so they are dropped. */
  readonly input: Input;
  /** Whether the agent must have proved that it owns its profile. */
  readonly identity: 'optional' | 'required';
  /** Whether the operation takes an idempotency key. Only MCP demands it: over REST a key is optional everywhere. */
  readonly key: 'none' | 'optional' | 'required';
  /** Whether REST responds with 201. */
  readonly created?: boolean;
  /** Schema of the value that a success returns, without the envelope. */
  readonly output: Output;
}

/** An operation with its action. */
export interface Operation {
  readonly spec: OperationSpec;
  readonly action: (ctx: UcpContext, call: OperationInput<unknown>) => Promise<UcpResult>;
}

/** Declares an operation. The action gets the validated payload and returns the value that `output` describes. */
export function operation<Input extends z.ZodType, Output extends z.ZodType>(
  spec: OperationSpec<Input, Output>,
  action: (
    ctx: UcpContext,
    call: OperationInput<z.output<Input>>,
  ) => Promise<UcpResult<z.input<NoInfer<Output>>>>,
): Operation {
  // `Operation` erases the types that the action was checked against above.
  return { spec, action } as unknown as Operation;
}
