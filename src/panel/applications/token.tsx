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
import { type Create, Fields, KindAndScopes, type Known } from './form.tsx';
import { apiOf, apiPathOf, loadApplication, type PanelScope, rootOf } from './scope.tsx';

/** An app has no server to keep its token on. */
const IN_AN_APP =
  'It is shown only once. Whoever has the app can read it there: grant it nothing that a shopper may not do.';

/** Shows a new token. It appears only in the response to its form: the database keeps a hash. */
const issued = (
  scope: PanelScope,
  request: PageRequest,
  { id, name, kind, token }: z.output<typeof ApplicationWithToken>,
): Outcome => ({
  view: {
    title: `Token of ${name}`,
    body: (
      <>
        <Secret label="Token" value={token} {...(kind === 'mobile' && { hint: IN_AN_APP })} />
        <NextLink href={`${rootOf(scope, request)}/${id}`} label="View application" />
      </>
    ),
  },
});

/** The page that registers an application. */
export const newPage = (scope: PanelScope) => async (request: PageRequest, formError: FormError | null) => {
  const known: Known = {
    name: '',
    allowed_origins: [],
    rate_limit_per_minute: null,
    expires_at: null,
    scopes: [],
    server_side: null,
    kind: null,
  };
  const f = { request, formError };
  const body = (
    <Form request={request} action={`${rootOf(scope, request)}/new`} submit="Create and show token">
      <KindAndScopes f={f} />
      <Fields f={f} known={known} />
    </Form>
  );
  const trail = [[rootOf(scope, request), 'Applications']] as const;
  return { title: 'New application', trail, body };
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
  const answer = await loadApplication(scope, request);
  if (!answer.ok) return answer;
  const { id, name, status } = answer.value;
  const root = rootOf(scope, request);
  return {
    title: `Rotate the token of ${clip(name, 60)}?`,
    trail: [[root, 'Applications']] as const,
    body: (
      <p>
        A new token is made and shown once.{' '}
        {status === 'passive'
          ? 'Requests with it, too, are rejected until you enable the token.'
          : 'The current token keeps working for 24 hours, then every request with it is rejected.'}
      </p>
    ),
    submit: 'Rotate token',
    keep: [`${root}/${id}`, 'Keep the current token'] as const,
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
