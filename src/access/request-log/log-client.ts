import { tenantObject } from '../../kernel/data/jurisdiction.ts';
import { type ApplicationName, applicationKey } from '../token.ts';
import type { CallFilter, FoundCalls, LogPage, OwnedCall } from './call-record.ts';

/** Returns a stub of the application's RequestLog object. */
export const requestLogOf = (env: Env, application: ApplicationName) =>
  tenantObject(env.REQUEST_LOG, { tenantId: application.tenantId, name: applicationKey(application) });

/** Returns the calls of an application that a filter matches, or `null` if its log can't be reached. */
export async function callsOf(
  env: Env,
  application: ApplicationName,
  { filter, ...page }: LogPage & { readonly filter: CallFilter },
): Promise<FoundCalls | null> {
  try {
    return await requestLogOf(env, application).find(filter, page);
  } catch {
    return null;
  }
}

/**
 * Returns the call with this request id of any of these applications, or `null` if no log has it (any more).
 * Asks every application's log at once.
 */
export async function callById(
  env: Env,
  applications: readonly ApplicationName[],
  id: string,
): Promise<OwnedCall | null> {
  const found = await Promise.all(
    applications.map(async (application) => {
      const [call] = (await callsOf(env, application, { filter: { id }, page: 1, limit: 1 }))?.calls ?? [];
      return call ? { ...application, call } : null;
    }),
  );
  return found.find((owned) => owned !== null) ?? null;
}
