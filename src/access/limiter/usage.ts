import { limiterOf } from './limiter-client.ts';

/**
 * Returns the requests of an application counted in the last 60 seconds, or `null` if its limiter can't be
 * reached.
 */
export async function usageOf(env: Env, tenantId: number, applicationId: number): Promise<number | null> {
  try {
    return (await limiterOf(env, tenantId, applicationId).usage()).used;
  } catch {
    return null;
  }
}
