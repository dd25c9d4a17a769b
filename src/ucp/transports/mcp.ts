import { z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { respond, respondJson, setHeaders } from '../../kernel/http/response.ts';
import { storefrontUrl } from '../../tenants/index.ts';
import type { UcpTenant } from '../context.ts';
import { operations } from '../operations.ts';
import { perform } from '../perform.ts';
import { checkedProfile } from '../protocol/agent-header.ts';
import { errorBody } from '../protocol/envelope.ts';
import { type Checked, done, type ProtocolError, refused } from '../protocol/outcome.ts';
import { UCP_VERSION } from '../protocol/version.ts';
import { servedTenant } from '../tenant.ts';
import {
  INTERNAL_ERROR,
  INVALID_PARAMS,
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type RpcError,
  type RpcId,
  RpcRequest,
  rpcError,
  rpcResult,
} from './json-rpc.ts';
import { parseBody, readBody } from './request-body.ts';
import { ToolArguments, tools } from './tools.ts';

/** The versions of the Model Context Protocol that are spoken here, newest first. */
const MCP_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** The result of a method, or its error. */
type Answered =
  | { readonly ok: true; readonly result: object }
  | { readonly ok: false; readonly error: RpcError };

/** A parsed request with what it arrived in. */
interface McpCall {
  readonly c: Context<App>;
  readonly body: Uint8Array;
  readonly rpc: RpcRequest;
}

/**
 * Serves `POST /ucp/{tenant}/mcp`: one JSON-RPC message, one JSON response, no session (MCP's Streamable HTTP without
 * a stream). An error also has the HTTP status of its REST counterpart.
 */
export async function serveMcp(c: Context<App>): Promise<Response> {
  const version = c.req.header('mcp-protocol-version');
  if (version !== undefined && !MCP_VERSIONS.includes(version)) {
    return respondRpcError(c, null, invalidRequest(`MCP ${version} is not supported.`));
  }
  const body = await readBody(c.req.raw);
  if (!body.ok) return respondRpcError(c, null, asRpcError(body.error));
  const json = parseBody(body.value);
  if (!json.ok) {
    return respondRpcError(c, null, { status: 400, code: PARSE_ERROR, message: json.error.content });
  }
  const rpc = RpcRequest.safeParse(json.value);
  if (!rpc.success) {
    return respondRpcError(c, null, invalidRequest('The body must be one request of JSON-RPC 2.0.'));
  }
  const { id } = rpc.data;
  // A notification has no response.
  if (id === undefined) return respond(c, null, { status: 202 });
  const answered = await answer({ c, body: body.value, rpc: rpc.data });
  return answered.ok
    ? respondJson(c, rpcResult(id, answered.result), 200)
    : respondRpcError(c, id, answered.error);
}

const invalidRequest = (message: string): RpcError => ({ status: 400, code: INVALID_REQUEST, message });

function respondRpcError(c: Context<App>, id: RpcId, error: RpcError): Response {
  const data: { retry_after?: number } = error.data ?? {};
  if (data.retry_after !== undefined) setHeaders(c, { 'Retry-After': String(data.retry_after) });
  return respondJson(c, rpcError(id, error), error.status);
}

async function answer(call: McpCall): Promise<Answered> {
  const { c, rpc } = call;
  const tenant = await servedTenant(c.env, c.req.param('tenant') ?? '');
  if (!tenant.ok) return { ok: false, error: asRpcError(tenant.error) };
  c.set('tenantId', tenant.value.id);
  switch (rpc.method) {
    case 'initialize':
      return { ok: true, result: initialized(rpc.params, tenant.value.name) };
    case 'ping':
      return { ok: true, result: {} };
    case 'tools/list':
      return { ok: true, result: { tools: tools() } };
    case 'tools/call':
      return callTool(call, tenant.value);
    default: {
      const message = `There is no method ${rpc.method.slice(0, 100)}.`;
      return { ok: false, error: { status: 404, code: METHOD_NOT_FOUND, message } };
    }
  }
}

/** Returns the server's side of MCP's handshake: the client's version if it is spoken here, else the newest. */
function initialized(params: RpcRequest['params'], name: string): object {
  const asked = String(params?.protocolVersion ?? '');
  return {
    protocolVersion: MCP_VERSIONS.includes(asked) ? asked : MCP_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name, version: UCP_VERSION },
  };
}

const ToolCall = z.object({ name: z.string(), arguments: ToolArguments.optional() });

/** Runs an operation as a tool. Business outcomes are results; only protocol errors are errors of JSON-RPC. */
async function callTool({ c, body, rpc }: McpCall, tenant: UcpTenant): Promise<Answered> {
  const call = ToolCall.safeParse(rpc.params);
  if (!call.success) return invalidParams('tools/call needs a name and arguments.');
  const { name, arguments: given = {} } = call.data;
  const operation = operations.find(({ spec }) => spec.name === name);
  if (!operation) return invalidParams(`There is no tool ${name.slice(0, 100)}.`);
  const profile = checkedProfile(given.meta?.['ucp-agent']?.profile);
  if (!profile.ok) {
    const continueUrl = storefrontUrl(tenant.settings);
    return { ok: false, error: asRpcError({ continueUrl, ...profile.error }) };
  }
  const { argument, path } = operation.spec;
  const needsId = path.includes('{id}');
  if (needsId && typeof given.id !== 'string') return invalidParams('The argument id is missing.');
  const performed = await perform({
    ...{ env: c.env, ctx: c.executionCtx, tenant, operation, profile: profile.value },
    ...{ request: c.req.raw, body, id: needsId ? String(given.id) : '' },
    payload: () => payloadOf(given, argument),
    key: given.meta?.['idempotency-key'] ?? c.req.header('idempotency-key'),
    requestId: c.get('requestId'),
  });
  if (!performed.ok) return { ok: false, error: asRpcError(performed.error) };
  const text = JSON.stringify(performed.body);
  return { ok: true, result: { structuredContent: performed.body, content: [{ type: 'text', text }] } };
}

function payloadOf(given: ToolArguments, argument: string | null): Checked<unknown> {
  if (argument === null) return done({});
  const payload = given[argument];
  return payload === undefined
    ? refused(400, 'invalid_request', `The argument ${argument} is missing.`)
    : done(payload);
}

const invalidParams = (message: string): Answered => ({
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
function asRpcError(error: ProtocolError): RpcError {
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
