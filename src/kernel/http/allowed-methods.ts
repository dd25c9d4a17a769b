import type { Endpoint } from './endpoint.ts';

const patterns = new WeakMap<Endpoint, RegExp>();

function patternOf(endpoint: Endpoint): RegExp {
  const known = patterns.get(endpoint);
  if (known) return known;
  const pattern = new RegExp(`^${endpoint.spec.path.replace(/\{[^}]+\}/g, '[^/]+')}$`);
  patterns.set(endpoint, pattern);
  return pattern;
}

/** The methods that a path takes, in capitals; none when nothing is at that path. */
export function allowedMethods(endpoints: readonly Endpoint[], path: string): string[] {
  const here = endpoints.filter((endpoint) => patternOf(endpoint).test(path));
  const methods = new Set(here.map(({ spec }) => spec.method.toUpperCase()));
  // Hono answers HEAD wherever there is a GET (RFC 9110, 9.3.2).
  if (methods.has('GET')) methods.add('HEAD');
  return [...methods];
}
