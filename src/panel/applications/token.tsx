import type { z } from 'zod';
import { ApplicationWithToken } from '../../access/index.ts';
import {
  clip,
  Form,
  type FormError,
  NextLink,
  type Outcome,
  onceOf,
  type PageRequest,
  Secret,
} from '../../web/index.ts';
import { type Create, Fields, KindAndScopes } from './form.tsx';
import {
  apiOf,
  apiPathOf,
  loadApplication,
  loadWithTenant,
  MISSING,
  type PanelScope,
  rootOf,
  tenantRow,
  trailBelow,
} from './scope.tsx';

/** An app has no server to keep its token on. */
const IN_AN_APP =
  'It is shown only once. Whoever has the app can read it there: grant it nothing that a shopper may not do.';

/** Shows a new token. It appears only in the response to its form: the database keeps a hash. */
async function issued(
  scope: PanelScope,
  request: PageRequest,
  application: z.output<typeof ApplicationWithToken>,
): Promise<Outcome> {
  const { id, name, kind, token } = application;
  const tenant = await tenantRow(scope, request);
  const body = (
    <>
      <Secret label="Token" value={token} {...(kind === 'mobile' && { hint: IN_AN_APP })} />
      <NextLink href={`${rootOf(scope, request)}/${id}`} label="View application" />
    </>
  );
  const trail = tenant ? trailBelow(scope, tenant, application) : [];
  return { view: { title: `Token of ${clip(name, 60)}`, trail, body } };
}

/** The page that registers an application. */
export const newPage = (scope: PanelScope) => async (request: PageRequest, formError: FormError | null) => {
  const tenant = await tenantRow(scope, request);
  if (!tenant) return MISSING;
  const f = { request, formError };
  const body = (
    <Form request={request} action={`${rootOf(scope, request)}/new`} submit="Create and show token">
      <KindAndScopes f={f} />
      <Fields f={f} known={null} />
    </Form>
  );
  return { title: 'New application', trail: trailBelow(scope, tenant), body };
};

/** Registers an application and shows its token once. */
export const create =
  (scope: PanelScope) =>
  async (request: PageRequest, input: z.output<typeof Create>): Promise<Outcome> => {
    const made = await request.platform(scope.slug(request), {
      method: 'POST',
      path: apiOf(scope, request),
      body: input,
      once: onceOf(request),
      answer: ApplicationWithToken,
    });
    return made.ok ? issued(scope, request, made.value) : made;
  };

/** Asks before a token is rotated. */
export const rotation = (scope: PanelScope) => async (request: PageRequest) => {
  const answer = await loadWithTenant(scope, request);
  if (!answer.ok) return answer;
  const { application, tenant } = answer.value;
  const { id, name, status } = application;
  return {
    title: `Rotate the token of ${clip(name, 60)}?`,
    trail: trailBelow(scope, tenant, application),
    body: (
      <p>
        A new token is made and shown once.{' '}
        {status === 'passive'
          ? 'Requests with it, too, are rejected until you enable the token.'
          : 'The current token keeps working for 24 hours, then every request with it is rejected.'}
      </p>
    ),
    submit: 'Rotate token',
    keep: [`${rootOf(scope, request)}/${id}`, 'Keep the current token'] as const,
  };
};

/** Rotates a token and shows the new one once. */
export const rotate =
  (scope: PanelScope) =>
  async (request: PageRequest): Promise<Outcome> => {
    const rotated = await request.platform(scope.slug(request), {
      method: 'POST',
      path: `${apiPathOf(scope, request)}/rotate`,
      once: onceOf(request),
      answer: ApplicationWithToken,
    });
    return rotated.ok ? issued(scope, request, rotated.value) : rotated;
  };

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
