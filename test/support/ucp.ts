/** A shop that agents may buy from, and a platform with a profile: calls of operations over REST and MCP. */
import { exports } from 'cloudflare:workers';
import { Validator } from '@cfworker/json-schema';
import { expect } from 'vitest';
import { moveClock } from '../../src/kernel/core/clock.ts';
import { operations } from '../../src/ucp/operations.ts';
import { tools } from '../../src/ucp/transports/tools.ts';
import { makeSigner, type Signer, signRequest } from './fixtures/signer.ts';
import { listen } from './internet.ts';
import { expectOfficialBody } from './ucp-schemas.ts';
import { type World, type WorldOptions, world } from './world.ts';

export const UCP_VERSION = '2026-04-08';
const ORIGIN = 'https://api.example.com';

/** A response of the protocol. */
export interface UcpAnswer {
  readonly status: number;
  readonly headers: Headers;
  // A test reads fields of many shapes; the operation's schema has checked the shape already.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly body: any;
}

/** Sends a request of the protocol as it is. */
export async function sendUcp(
  method: string,
  path: string,
  init: RequestInit = {},
  origin = ORIGIN,
): Promise<UcpAnswer> {
  return readAnswer(await exports.default.fetch(new Request(`${origin}${path}`, { method, ...init })));
}

async function readAnswer(response: Response): Promise<UcpAnswer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? JSON.parse(text) : null };
}

/** Every capability of the protocol that this business can have, as a platform's profile lists it. */
export const EVERY_CAPABILITY = Object.fromEntries(
  [
    'catalog.search',
    'catalog.lookup',
    'cart',
    'checkout',
    'order',
    'fulfillment',
    'discount',
    'buyer_consent',
  ].map((name) => [`dev.ucp.shopping.${name}`, [{ version: UCP_VERSION }]]),
);

/** Parts of a platform's profile that a test states itself. */
export interface PlatformOptions {
  readonly version?: string;
  readonly capabilities?: object;
}

/** The keys of the platforms that are served, by their profiles' URLs. */
const signers = new Map<string, Promise<Signer>>();

/** Serves the profile of a platform with a key of its own on a host of its own. Returns the profile's URL. */
export function servePlatform({ version = UCP_VERSION, capabilities }: PlatformOptions = {}): string {
  const host = `agent-${crypto.randomUUID()}.example.com`;
  const signer = makeSigner('platform');
  const profile = async () => ({
    ucp: { version, services: {}, capabilities: capabilities ?? EVERY_CAPABILITY, payment_handlers: {} },
    signing_keys: [(await signer).jwk],
  });
  listen(host, async () =>
    Response.json(await profile(), { headers: { 'cache-control': 'public, max-age=60' } }),
  );
  const uri = `https://${host}/profile.json`;
  signers.set(uri, signer);
  return uri;
}

/** Options of {@link ucpShop}. */
export interface UcpShopOptions extends WorldOptions {
  readonly ucp?: object;
  readonly platform?: PlatformOptions;
}

/** Creates a tenant that agents may buy from, and an agent. */
export async function ucpShop({ ucp, platform, settings, ...options }: UcpShopOptions = {}) {
  const shop = await world({ ...options, settings: { ...settings, ucp: { enabled: true, ...ucp } } });
  return { ...shop, ...agentOf(shop, servePlatform(platform)) };
}

/** A Worker that serves a request: the one of the tests, or one that crashes. */
export type Serve = (request: Request) => Promise<Response>;

const serveAsUsual: Serve = (request) => exports.default.fetch(request);

/** Returns calls of operations by an agent with this profile, signed if its platform is served here. */
export function agentOf({ slug }: Pick<World, 'slug'>, profile: string, serve = serveAsUsual) {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: string) => {
    const request = { method, url: `${ORIGIN}${path}`, headers, ...(body !== undefined && { body }) };
    const signer = await signers.get(profile);
    const sent = signer ? await signRequest(signer, request) : headers;
    return readAnswer(await serve(new Request(request.url, { ...request, headers: sent })));
  };
  /** Calls an operation over REST. */
  const rest = async (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ): Promise<UcpAnswer> => {
    const all = { 'ucp-agent': `profile="${profile}"`, 'content-type': 'application/json', ...headers };
    const sent = body === undefined ? undefined : JSON.stringify(body);
    const answer = await send(method, `/ucp/${slug}${path}`, all, sent);
    checkRest(method, path, answer);
    return answer;
  };
  /** Sends a message, or a batch of them, of JSON-RPC. */
  const message = (sent: unknown, headers: Record<string, string> = {}): Promise<UcpAnswer> => {
    const all = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    return send('POST', `/ucp/${slug}/mcp`, { ...all, ...headers }, JSON.stringify(sent));
  };
  /** Calls an operation over MCP. Its body is that of the tool's result, or the JSON-RPC error. */
  const tool = async (
    name: string,
    args: Record<string, unknown> = {},
    headers: Record<string, string> = {},
  ): Promise<UcpAnswer> => {
    const { meta, ...rest } = args;
    const sent = { meta: { 'ucp-agent': { profile }, ...(meta as object | undefined) }, ...rest };
    const params = { name, arguments: sent };
    const answer = await message({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers);
    if (answer.body.error) return { ...answer, body: answer.body.error };
    const { structuredContent, content } = answer.body.result;
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    checkBody(name, structuredContent);
    checkOutputSchema(name, structuredContent);
    return { ...answer, body: structuredContent };
  };
  return { profile, rest, tool, message };
}

/** Makes the isolate read tenants again, whose settings it may use for a second. */
export const forgetTenants = (): void => moveClock(1_001);

function checkRest(method: string, path: string, { status, body }: UcpAnswer): void {
  if (status >= 300) {
    expect(body).toEqual({ code: expect.any(String), content: expect.any(String), ...continueUrl(body) });
    return;
  }
  const operation = operations.find(({ spec }) => {
    const pattern = new RegExp(`^${spec.path.replace('{id}', '[^/]+')}$`);
    return spec.method === method.toLowerCase() && pattern.test(path);
  });
  if (operation) checkBody(operation.spec.name, body);
}

const continueUrl = (body: { continue_url?: string }) =>
  body.continue_url === undefined ? {} : { continue_url: expect.stringMatching(/^https?:/) };

/** Fails the test unless a tool's structured content matches the schema that the tool declares. */
function checkOutputSchema(name: string, content: unknown): void {
  const { outputSchema } = tools().find((tool) => tool.name === name) ?? {};
  const { errors } = new Validator(outputSchema ?? false, '2020-12', false).validate(content);
  expect(errors.map(({ instanceLocation, error }) => `${instanceLocation}: ${error}`)).toEqual([]);
}

/** Fails the test unless a body matches the operation's own schema and the official one. */
function checkBody(name: string, body: { ucp: { status: string } }): void {
  const operation = operations.find(({ spec }) => spec.name === name);
  if (!operation) return;
  const { ucp, ...value } = body;
  expectOfficialBody(name, operation.spec.capability, body);
  if (ucp.status === 'error') return;
  const checked = operation.spec.output.safeParse(value);
  expect(checked.error?.issues ?? [], JSON.stringify(value).slice(0, 1_000)).toEqual([]);
}
