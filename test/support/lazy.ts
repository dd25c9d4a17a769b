import { shareTenants } from './runtime/own-tenants.ts';

/**
 * Returns a function that makes something at its first call, and returns the same at each further one: what all
 * tests of a file use and none changes, such as the tenant of requests that are refused.
 */
export function lazy<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= shareTenants(make);
    return made;
  };
}
