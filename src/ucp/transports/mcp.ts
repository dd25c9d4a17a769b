import type { Context } from 'hono';
import type { App } from '../../kernel/http/context.ts';
import { respond, respondJson, setHeaders } from '../../kernel/http/response.ts';
import type { UcpTenant } from '../context.ts';
import { CHALLENGE, refused } from '../protocol/outcome.ts';
import { UCP_VERSION } from '../protocol/version.ts';
import { servedTenant } from '../tenant.ts';
import { asRpcError, callTool, type McpCall } from './call-tool.ts';
import { crashError } from './crash-error.ts';
import {
  INVALID_REQUEST,
  METHOD_NOT_FOUND,
  PARSE_ERROR,
  type RpcAnswer,
  type RpcError,
  type RpcId,
  RpcRequest,
  rpcError,
  rpcResult,
} from './json-rpc.ts';
import { admitPage } from './pages.ts';
import { parseBody, readBody } from './request-body.ts';
import { tools } from './tools.ts';

/** The versions of the Model Context Protocol that are spoken here, newest first. */
const MCP_VERSIONS = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** The most messages of a batch, and the most characters of its replies before the last one. */
const MAX_BATCH = 10;
const MAX_BATCH_LENGTH = 4 * 1024 * 1024;

/** What a message is replied with; null for a notification. */
type Reply = { readonly body: object; readonly error: RpcError | null } | null;

/**
 * Serves `POST /ucp/{tenant}/mcp`: one message of JSON-RPC or a batch of them, one JSON response, no session (MCP's
 * Streamable HTTP without a stream). The error of a single message also has the HTTP status of its REST counterpart.
 */
export const serveMcp = (c: Context<App>): Promise<Response> =>
  receive(c).catch((error) => respondRpcError(c, null, crashOf(c, error)));

/** Returns what a request threw as an error of JSON-RPC. */
const crashOf = (c: Context<App>, error: unknown): RpcError =>
  asRpcError(crashError(error, c.get('requestId')));

async function receive(c: Context<App>): Promise<Response> {
  setHeaders(c, { Vary: 'Origin' });
  const version = c.req.header('mcp-protocol-version');
  if (version !== undefined && !MCP_VERSIONS.includes(version)) {
    return respondRpcError(c, null, invalidRequest(`MCP ${version.slice(0, 100)} is not supported.`));
  }
  const body = await readBody(c.req.raw);
  if (!body.ok) return respondRpcError(c, null, asRpcError(body.error));
  const json = parseBody(body.value);
  if (!json.ok) {
    return respondRpcError(c, null, { status: 400, code: PARSE_ERROR, message: json.error.content });
  }
  const tenant = await servedTenant(c, c.req.param('tenant') ?? '');
  if (!tenant.ok) return respondRpcError(c, idOf(json.value), asRpcError(tenant.error));
  c.set('tenantId', tenant.value.id);
  if (!admitPage(c, tenant.value)) return respondRpcError(c, null, asRpcError(FOREIGN_ORIGIN));
  const replyTo = (message: unknown, isBatched: boolean) =>
    reply(message, tenant.value, (rpc) => ({ c, body: body.value, rpc, isBatched }));
  return Array.isArray(json.value)
    ? respondBatch(c, json.value, (message) => replyTo(message, true))
    : respondReply(c, await replyTo(json.value, false));
}

/** Returns whether a message asks for the tools: the response is large, and anyone may ask. */
const listsTools = (message: unknown): boolean => RpcRequest.safeParse(message).data?.method === 'tools/list';

const idOf = (json: unknown): RpcId => RpcRequest.safeParse(json).data?.id ?? null;

const { error: FOREIGN_ORIGIN } = refused(
  403,
  'origin_not_allowed',
  "Pages of this origin may not call the shop's tools.",
);

/** Replies to the messages one after the other (JSON-RPC 2.0, section 6). Their errors have no HTTP status. */
async function respondBatch(
  c: Context<App>,
  messages: readonly unknown[],
  replyTo: (message: unknown) => Promise<Reply>,
): Promise<Response> {
  if (messages.length === 0 || messages.length > MAX_BATCH) {
    return respondRpcError(c, null, invalidRequest(`A batch has 1 to ${MAX_BATCH} messages.`));
  }
  if (messages.filter(listsTools).length > 1) {
    return respondRpcError(c, null, invalidRequest('A batch lists the tools once.'));
  }
  const texts: string[] = [];
  let length = 0;
  for (const message of messages) {
    const replied = length > MAX_BATCH_LENGTH ? tooLarge(message) : await replyTo(message);
    if (!replied) continue;
    const text = JSON.stringify(replied.body);
    texts.push(text);
    length += text.length;
  }
  if (texts.length === 0) return respond(c, null, { status: 202 });
  return respond(c, `[${texts.join(',')}]`, { status: 200, headers: { 'Content-Type': 'application/json' } });
}

/** Refuses a message of a batch whose replies are large already: all of them are in memory together. */
function tooLarge(message: unknown): Reply {
  const rpc = RpcRequest.safeParse(message);
  if (rpc.data && rpc.data.id === undefined) return null;
  const error = invalidRequest('The replies of the batch are too large. Send this message on its own.');
  return { body: rpcError(rpc.data?.id ?? null, error), error };
}

function respondReply(c: Context<App>, replied: Reply): Response {
  if (replied === null) return respond(c, null, { status: 202 });
  const { body, error } = replied;
  const data: { retry_after?: number } = error?.data ?? {};
  setHeaders(c, {
    ...(data.retry_after !== undefined && { 'Retry-After': String(data.retry_after) }),
    ...(error?.status === 401 && CHALLENGE),
  });
  return respondJson(c, body, error?.status ?? 200);
}

const respondRpcError = (c: Context<App>, id: RpcId, error: RpcError): Response =>
  respondReply(c, { body: rpcError(id, error), error });

const invalidRequest = (message: string): RpcError => ({ status: 400, code: INVALID_REQUEST, message });

/** Returns the reply to a message. */
async function reply(
  message: unknown,
  tenant: UcpTenant,
  callOf: (rpc: RpcRequest) => McpCall,
): Promise<Reply> {
  const rpc = RpcRequest.safeParse(message);
  if (!rpc.success) {
    const error = invalidRequest('A message must be a request of JSON-RPC 2.0.');
    return { body: rpcError(null, error), error };
  }
  const { id } = rpc.data;
  // A notification has no response.
  if (id === undefined) return null;
  const call = callOf(rpc.data);
  const answered = await answer(call, tenant).catch(
    (error): RpcAnswer => ({ ok: false, error: crashOf(call.c, error) }),
  );
  return answered.ok
    ? { body: rpcResult(id, answered.result), error: null }
    : { body: rpcError(id, answered.error), error: answered.error };
}

async function answer(call: McpCall, tenant: UcpTenant): Promise<RpcAnswer> {
  const { method, params } = call.rpc;
  switch (method) {
    case 'initialize':
      return { ok: true, result: initialized(params, tenant.name) };
    case 'ping':
      return { ok: true, result: {} };
    case 'tools/list':
      return { ok: true, result: { tools: tools() } };
    case 'tools/call':
      return callTool(call, tenant);
    default: {
      const message = `There is no method ${method.slice(0, 100)}.`;
      return { ok: false, error: { status: 404, code: METHOD_NOT_FOUND, message } };
    }
  }
}

/** Returns the server's side of MCP's handshake: the client's version if it is spoken here, else the newest. */
function initialized(params: RpcRequest['params'], name: string): object {
  return {
    protocolVersion: MCP_VERSIONS.find((version) => version === params?.protocolVersion) ?? MCP_VERSIONS[0],
    capabilities: { tools: {} },
    serverInfo: { name, version: UCP_VERSION },
  };
}
