import {
  type InnerList,
  type Item,
  serializeInnerList,
  serializeItem,
  stringValue,
} from './structured-fields.ts';

/** What a signature is made for: a request, or a response (which has a `status` in place of a method). */
export type SignedMessage = SignedRequest | SignedResponse;

/** A request as RFC 9421 sees it. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Headers;
}

/** A response as RFC 9421 sees it. */
export interface SignedResponse {
  readonly status: number;
  readonly headers: Headers;
}

/** The derived components of a request (RFC 9421, 2.2) that need no parameter. */
const REQUEST_COMPONENTS: ReadonlyMap<string, (request: SignedRequest) => string> = new Map([
  ['@method', ({ method }) => method.toUpperCase()],
  ['@target-uri', ({ url }) => url.href],
  ['@authority', ({ url }) => url.host],
  ['@scheme', ({ url }) => url.protocol.slice(0, -1)],
  ['@request-target', ({ url }) => `${url.pathname}${url.search}`],
  ['@path', ({ url }) => url.pathname],
  ['@query', ({ url }) => url.search || '?'],
]);

const FIELD_NAME = /^[a-z0-9!#$%&'*+.^_`|~-]+$/;

/**
 * Returns the signature base (RFC 9421, 2.5) of a message for these components, or `null` if a component is
 * repeated, unknown, or absent from the message. Components with parameters (`;sf`, `;bs`, `;key`, `;req`,
 * `;tr`, `@query-param`) are not supported, so they count as unknown.
 */
export function signatureBase(message: SignedMessage, covered: InnerList): string | null {
  const lines: string[] = [];
  const names = new Set<string>();
  for (const item of covered.items) {
    const name = serializeItem(item);
    const value = names.has(name) ? null : componentValue(message, item);
    if (value === null) return null;
    names.add(name);
    lines.push(`${name}: ${value}`);
  }
  return [...lines, `"@signature-params": ${serializeInnerList(covered)}`].join('\n');
}

function componentValue(message: SignedMessage, { bare, parameters }: Item): string | null {
  const name = stringValue(bare);
  if (name === null || parameters.size > 0) return null;
  if ('status' in message) {
    return name === '@status' ? String(message.status) : fieldValue(message.headers, name);
  }
  return REQUEST_COMPONENTS.get(name)?.(message) ?? fieldValue(message.headers, name);
}

/** Returns the field's combined value (RFC 9421, 2.1), which `Headers` already joins and trims. */
const fieldValue = (headers: Headers, name: string): string | null =>
  FIELD_NAME.test(name) ? headers.get(name) : null;
