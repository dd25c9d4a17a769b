import { clip, type Outcome, type PageRequest } from '../../web/index.ts';
import { apiPathOf, loadApplication, loadWithTenant, type PanelScope, rootOf, trailBelow } from './scope.tsx';

/** Asks before a token is disabled. */
export const disabling = (scope: PanelScope) => async (request: PageRequest) => {
  const answer = await loadWithTenant(scope, request);
  if (!answer.ok) return answer;
  const { application, tenant } = answer.value;
  const { id, name } = application;
  return {
    title: `Disable the token of ${clip(name, 60)}?`,
    trail: trailBelow(scope, tenant, application),
    body: (
      <p>
        Within two seconds every request with it is rejected, also with a token that was rotated less than 24
        hours ago. Nothing is deleted: enable the token to undo it.
      </p>
    ),
    submit: 'Disable token',
    keep: [`${rootOf(scope, request)}/${id}`, 'Keep the token enabled'] as const,
  };
};

/** Returns the action that enables or disables an application's token: sent twice, nothing more is changed or recorded. */
export const setStatus =
  (scope: PanelScope, status: 'active' | 'passive') =>
  async (request: PageRequest): Promise<Outcome> => {
    const to = `${rootOf(scope, request)}/${encodeURIComponent(request.param('id'))}`;
    const known = await loadApplication(scope, request);
    if (!known.ok) return known;
    if (known.value.status === status) return { to, note: 'saved' };
    const path = apiPathOf(scope, request);
    const changed = await request.platform(scope.slug(request), { method: 'PATCH', path, body: { status } });
    return changed.ok ? { to, note: 'saved' } : changed;
  };
