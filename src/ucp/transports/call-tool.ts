import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { storefrontUrl } from '../../tenants/index.ts';
import type { UcpTenant } from '../context.ts';
import { operations } from '../operations.ts';
import { perform } from '../perform.ts';
import { checkedProfile, profileOfHeader } from '../protocol/agent-header.ts';
import { errorBody } from '../protocol/envelope.ts';
import type { OperationSpec } from '../protocol/operation.ts';
import { type Checked, done, type ProtocolError, refused } from '../protocol/outcome.ts';
import { learnLength } from '../response-memory.ts';
import { servedTenant } from '../tenant.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  PARSE_ERROR,
  type RpcAnswer,
  type RpcError,
  type RpcRequest,
} from './json-rpc.ts';
import { ToolArguments } from './tools.ts';

/** A message with the HTTP request that it arrived in. */
export interface McpCall {
  readonly c: Context<App>;
  /** The bytes of the request's body, which its signature covers. */
  readonly body: Uint8Array;
  readonly rpc: RpcRequest;
  /** Whether the message is one of a batch, so that the request's Idempotency-Key is not its own. */
  readonly isBatched: boolean;
}

const ToolCall = z.object({ name: z.string(), arguments: ToolArguments.optional() });

/** Runs an operation as a tool. Business outcomes are results; only protocol errors are errors of JSON-RPC. */
export async function callTool({ c, body, rpc, isBatched }: McpCall, tenant: UcpTenant): Promise<RpcAnswer> {
  const call = ToolCall.safeParse(rpc.params);
  if (!call.success) return invalidParams('tools/call needs a name, and arguments with meta.');
  const { name, arguments: given = {} } = call.data;
  const operation = operations.find(({ spec }) => spec.name === name);
  if (!operation) return invalidParams(`There is no tool ${name.slice(0, 100)}.`);
  const profile = profileOf(given, c.req.header('ucp-agent'));
  if (!profile.ok) {
    const continueUrl = storefrontUrl(tenant.settings);
    return { ok: false, error: asRpcError({ continueUrl, ...profile.error }) };
  }
  const needsId = operation.spec.path.includes('{id}');
  if (needsId && typeof given.id !== 'string') return invalidParams('The argument id is missing.');
  const key = given.meta?.['idempotency-key'] ?? (isBatched ? undefined : c.req.header('idempotency-key'));
  if (operation.spec.key === 'required' && key === undefined) {
    return invalidParams('The argument meta["idempotency-key"] is missing.');
  }
  const performed = await perform({
    env: c.env,
    ctx: c.executionCtx,
    tenant,
    currentTenant: () => servedTenant(c, tenant.slug),
    operation,
    profile: profile.value,
    request: c.req.raw,
    body,
    id: needsId ? String(given.id) : '',
    payload: () => payloadOf(given, operation.spec),
    key,
  });
  if (!performed.ok) return { ok: false, error: asRpcError(performed.error) };
  const text = JSON.stringify(performed.body);
  // The response has the text and what it is made of.
  learnLength({ tenantId: tenant.id, operation: name }, 2 * text.length);
  return { ok: true, result: { structuredContent: performed.body, content: [{ type: 'text', text }] } };
}

/** Returns the profile that `meta` names. A UCP-Agent header, which a signature may cover, must name the same one. */
function profileOf({ meta }: ToolArguments, header: string | undefined): Checked<string> {
  const named = checkedProfile(meta?.['ucp-agent']?.profile);
  if (!named.ok || header === undefined) return named;
  const signer = profileOfHeader(header);
  if (!signer.ok) return signer;
  return signer.value === named.value
    ? named
    : refused(400, 'invalid_profile_url', 'UCP-Agent and meta name different profiles.');
}

/** Returns the payload. The id of a cart or checkout is an argument of its own, so a payload has no other id. */
function payloadOf(given: ToolArguments, { argument }: Pick<OperationSpec, 'argument'>): Checked<unknown> {
  if (argument === null) return done({});
  const payload = given[argument];
  if (payload === undefined) {
    return refused(400, 'invalid_request', `The argument ${argument} is missing.`);
  }
  const id = argument === 'catalog' ? undefined : Object(payload).id;
  return id === undefined || id === given.id
    ? done(payload)
    : refused(400, 'invalid_request', `${argument} must not have an id.`);
}

const invalidParams = (message: string): RpcAnswer => ({
  ok: false,
  error: { status: 400, code: INVALID_PARAMS, message },
});

/** The codes of errors in the discovery of a platform, which have a JSON-RPC code of their own. */
const DISCOVERY_CODES = new Set([
  'invalid_profile_url',
  'profile_unreachable',
  'profile_malformed',
  'version_unsupported',
]);
const DISCOVERY_ERROR = -32001;
/** The JSON-RPC code of every other error of the server that the protocol defines. */
const SERVER_ERROR = -32000;

/** Returns a protocol error as JSON-RPC has it, by the protocol's tables of codes and statuses. */
export function asRpcError(error: ProtocolError): RpcError {
  const { status, content, retryAfter } = error;
  const data = { ...errorBody(error), ...(retryAfter !== undefined && { retry_after: retryAfter }) };
  return { status, code: rpcCodeOf(error), message: content, data };
}

function rpcCodeOf({ status, code }: ProtocolError): number {
  if (DISCOVERY_CODES.has(code)) return DISCOVERY_ERROR;
  if (code === 'digest_mismatch' || code === 'algorithm_unsupported') return INVALID_REQUEST;
  if (code === 'invalid_json') return PARSE_ERROR;
  if (status === 500) return INTERNAL_ERROR;
  if (status === 400) return INVALID_PARAMS;
  return [405, 408, 413, 415].includes(status) ? INVALID_REQUEST : SERVER_ERROR;
}
