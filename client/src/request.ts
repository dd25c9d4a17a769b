import type { Operation } from './operation.ts';

/** An operation's input, whatever its type. */
export type AnyInput = Readonly<Record<string, unknown>>;

/** What an operation's input becomes. */
export interface RequestParts {
  /** Path and query. */
  readonly target: string;
  readonly body: string | Blob | ArrayBuffer | null;
  /** The body's media type. */
  readonly type: string;
}

/**
 * Distributes an input over path, query and body. Throws a TypeError for a path parameter that is missing or
 * would name another resource.
 */
export function requestParts(operation: Operation, input: AnyInput): RequestParts {
  const rest = new Map(Object.entries(input).filter(([, value]) => value !== undefined));
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = String(rest.get(name) ?? '');
    if (/^\.{0,2}$/.test(value)) throw new TypeError(`${operation.method} ${operation.path} needs "${name}"`);
    rest.delete(name);
    return encodeURIComponent(value);
  });
  const hasBody = /^P/.test(operation.method);
  const query: string[] = [];
  for (const name of operation.query ?? (hasBody ? [] : rest.keys())) {
    const value = rest.get(name);
    rest.delete(name);
    if (value != null) query.push(...pairs(name, value));
  }
  const target = query.length > 0 ? `${path}?${query.join('&')}` : path;
  const type = 'application/json';
  if (!hasBody || rest.size === 0) return { target, body: null, type };
  if (!operation.mediaTypes) return { target, body: JSON.stringify(Object.fromEntries(rest)), type };
  // The types of stream operations ask for a body of theirs.
  const body = rest.get('body') as RequestParts['body'];
  return { target, body, type: typeOf(body, operation.mediaTypes) };
}

/** Returns a Blob's own type if the operation takes it, else the operation's default. */
const typeOf = (body: RequestParts['body'], [byDefault, ...others]: readonly [string, ...string[]]): string =>
  others.find((type) => body instanceof Blob && body.type === type) ?? byDefault;

/** Encodes a query parameter. An array is a comma list; an object is a parameter for each name: `attr.color`. */
const pairs = (name: string, value: unknown): string[] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.entries(value).flatMap(([key, one]) =>
        one === undefined ? [] : pairs(key.startsWith(`${name}.`) ? key : `${name}.${key}`, one),
      )
    : [`${encodeURIComponent(name)}=${encodeURIComponent(String(value))}`];
