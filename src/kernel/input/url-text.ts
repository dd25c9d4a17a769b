import { z } from '@hono/zod-openapi';
import type { EndpointSpec } from '../http/endpoint.ts';
import { textFault } from '../text/text.ts';

const NOT_UTF8 = 'must be percent-encoded UTF-8';

/** Returns the validation message for a percent-encoded string, or `null` if it is valid. */
function encodedFault(encoded: string): string | null {
  try {
    return textFault(decodeURIComponent(encoded));
  } catch {
    return NOT_UTF8;
  }
}

/** Decodes a percent-encoded string for display. Returns an invalid one unchanged. */
function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded);
  } catch {
    return encoded;
  }
}

/** Splits a query or a form (`application/x-www-form-urlencoded`) into its pairs, still percent-encoded. */
const encodedPairs = (text: string): [name: string, value: string][] =>
  text
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...value] = pair.replaceAll('+', '%20').split('=');
      return [name, value.join('=')];
    });

/** Returns whether every name and value of a query or form is percent-encoded UTF-8. */
export const isEncodedUtf8 = (text: string): boolean =>
  encodedPairs(text).every((pair) => pair.every((part) => encodedFault(part) !== NOT_UTF8));

/** Returns a predicate for the names of an endpoint's query parameters. */
function isParameterOf({ query, path, openQuery }: EndpointSpec): (name: string) => boolean {
  if (query === undefined) return () => false;
  if (!(query instanceof z.ZodObject)) throw new Error(`The query of ${path} is not an object`);
  // zod builds a shape when it is first read, which no route needs before its first request.
  let names: ReadonlySet<string> | null = null;
  return (name) => {
    names ??= new Set(Object.keys(query.shape));
    return names.has(name) || (openQuery !== undefined && name.startsWith(openQuery.prefix));
  };
}

/**
 * Returns a function that checks a URL of the endpoint: path and query must be UTF-8 text, and the query must
 * have only declared parameters, each once, of which `cursor` takes the place of `page`. It returns messages by
 * field, or `null` if the URL is valid.
 */
export function urlCheck(spec: EndpointSpec): (url: string) => Record<string, string[]> | null {
  const isParameter = isParameterOf(spec);
  const parts = spec.path.split('/');
  return (url) => {
    if (!/[?%]/.test(url)) return null;
    const { pathname, search } = new URL(url);
    // A map, because a parameter may be called "constructor", which a plain object inherits.
    const errors = new Map<string, string[]>();
    pathname.split('/').forEach((segment, n) => {
      const fault = encodedFault(segment);
      if (fault) errors.set(parts[n]?.replace(/[{}]/g, '') ?? 'path', [fault]);
    });
    checkQuery(search, isParameter, errors);
    return errors.size > 0 ? Object.fromEntries(errors) : null;
  };
}

/** Adds what is wrong with a query to `errors`. */
function checkQuery(
  search: string,
  isParameter: (name: string) => boolean,
  errors: Map<string, string[]>,
): void {
  const given = new Set<string>();
  for (const [name, value] of encodedPairs(search.slice(1))) {
    const known = decoded(name);
    const fault = encodedFault(name) ?? encodedFault(value);
    if (fault) errors.set(known.replaceAll('\0', '\ufffd'), [fault]);
    else if (!isParameter(known)) errors.set(known, ['is not a known parameter']);
    else if (given.has(known)) errors.set(known, ['must be given once']);
    else given.add(known);
  }
  if (given.has('cursor') && given.has('page')) errors.set('cursor', ['must not be combined with page']);
}
