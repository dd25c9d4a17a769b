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
export function methodsAt(endpoints: readonly Endpoint[], path: string): string[] {
  const here = endpoints.filter((endpoint) => patternOf(endpoint).test(path));
  return [...new Set(here.map(({ spec }) => spec.method.toUpperCase()))];
}
