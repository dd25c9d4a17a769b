import { limiterOf } from './limiter-client.ts';

/**
 * The requests of an application that count in the last 60 seconds, by its limiter; `null` when that
 * can't be reached.
 */
export async function usageOf(env: Env, tenantId: number, applicationId: number): Promise<number | null> {
  try {
    return (await limiterOf(env, tenantId, applicationId).usage()).used;
  } catch {
    return null;
  }
}
