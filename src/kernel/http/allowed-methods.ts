import type { Endpoint } from './endpoint.ts';

const patterns = new WeakMap<Endpoint, RegExp>();

function patternOf(endpoint: Endpoint): RegExp {
  const known = patterns.get(endpoint);
  if (known) return known;
  const pattern = new RegExp(`^${endpoint.spec.path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  patterns.set(endpoint, pattern);
  return pattern;
}

/** Returns the methods of a path's endpoints in upper case; none for an unknown path. */
export function allowedMethods(endpoints: readonly Endpoint[], path: string): string[] {
  const here = endpoints.filter((endpoint) => patternOf(endpoint).test(path));
  const methods = new Set(here.map(({ spec }) => spec.method.toUpperCase()));
  // Hono serves HEAD for every GET (RFC 9110, 9.3.2).
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods];
}
