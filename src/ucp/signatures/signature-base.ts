import {
  type InnerList,
  type Item,
  serializeInnerList,
  serializeItem,
  stringValue,
} from './structured-fields.ts';

/** A request as RFC 9421 sees it. */
export interface SignedRequest {
  readonly method: string;
  readonly url: URL;
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
 * Returns the signature base (RFC 9421, 2.5) of a request for these components, or `null` if a component is
 * repeated, unknown, or absent from the request. Components with parameters (`;sf`, `;bs`, `;key`, `;req`,
 * `;tr`, `@query-param`) are not supported, so they count as unknown.
 */
export function signatureBase(request: SignedRequest, covered: InnerList): string | null {
  const lines: string[] = [];
  const names = new Set<string>();
  for (const item of covered.items) {
    const name = serializeItem(item);
    const value = names.has(name) ? null : componentValue(request, item);
    if (value === null) return null;
    names.add(name);
    lines.push(`${name}: ${value}`);
  }
  return [...lines, `"@signature-params": ${serializeInnerList(covered)}`].join('\n');
}

function componentValue(request: SignedRequest, { bare, parameters }: Item): string | null {
  const name = stringValue(bare);
  if (name === null || parameters.size > 0) return null;
  return REQUEST_COMPONENTS.get(name)?.(request) ?? fieldValue(request.headers, name);
}

/** Returns the field's combined value (RFC 9421, 2.1), which `Headers` already joins and trims. */
const fieldValue = (headers: Headers, name: string): string | null =>
  FIELD_NAME.test(name) ? headers.get(name) : null;
