import { z } from '@hono/zod-openapi';

/** A request or notification of JSON-RPC 2.0. A notification has no id. */
export const RpcRequest = z.object({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.record(z.string(), z.unknown()).optional(),
});
export type RpcRequest = z.infer<typeof RpcRequest>;

/** The id of a request; null if it could not be read. */
export type RpcId = string | number | null;

/** The error codes of JSON-RPC 2.0, section 5.1. */
export const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
export const METHOD_NOT_FOUND = -32601;
export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** An error of JSON-RPC, with the HTTP status that it is sent with. */
export interface RpcError {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: object;
}

/** What a method returns: its result, or an error. */
export type RpcAnswer =
  | { readonly ok: true; readonly result: object }
  | { readonly ok: false; readonly error: RpcError };

/** Returns the body of a successful response. */
export const rpcResult = (id: RpcId, result: object) => ({ jsonrpc: '2.0', id, result });

/** Returns the body of an error. */
export const rpcError = (id: RpcId, { code, message, data }: RpcError) => ({
  jsonrpc: '2.0',
  id,
  error: { code, message, ...(data && { data }) },
});
