import type { z } from 'zod';
import type { Application } from '../../access/index.ts';
import {
  ActionLink,
  clip,
  Facts,
  type Filled,
  Form,
  type FormError,
  type Outcome,
  type PageRequest,
  Section,
  State,
  shownInstant,
  When,
} from '../../web/index.ts';
import type { EditPart } from '../editing/changes.ts';
import { EditedParts, saveEdit } from '../editing/save-edit.tsx';
import { Fields, type Patch, refusedScopes } from './form.tsx';
import {
  apiPathOf,
  loadApplication,
  loadWithTenant,
  type PanelScope,
  rootOf,
  trailBelow,
  useOf,
} from './scope.tsx';

type StoredApplication = z.output<typeof Application>;

interface ChangeProps {
  readonly f: Filled;
  /** The application's path. */
  readonly here: string;
  readonly known: StoredApplication;
}

/** The form that changes an application, beside what can be done with its token. */
const Change = ({ f, here, known }: ChangeProps) => (
  <div class="beside">
    <Form request={f.request} action={here} submit="Save" unsaved>
      <EditedParts f={f} parts={PARTS} stored={known} />
      <Fields f={f} known={known} />
    </Form>
    <Token f={f} here={here} known={known} />
  </div>
);

const Token = ({ f: { request }, here, known: { status } }: ChangeProps) => (
  <Section id="token" title="Token" card>
    {status !== 'passive' && (
      <p>Rotating replaces the token without downtime: the new one and the old one both work for 24 hours.</p>
    )}
    <p class="actions">
      <ActionLink request={request} href={`${here}/rotate`} class="button secondary">
        Rotate token
      </ActionLink>
      {status !== 'passive' && (
        <ActionLink request={request} href={`${here}/disable`} class="button quiet danger">
          Disable token
        </ActionLink>
      )}
    </p>
    {status === 'passive' && (
      <>
        <p>The token is disabled: every request with it is rejected.</p>
        <Form request={request} action={`${here}/enable`} submit="Enable token" quiet />
      </>
    )}
  </Section>
);

/** The page of an application: its use, its form and its token. */
export const onePage = (scope: PanelScope) => async (request: PageRequest, formError: FormError | null) => {
  const answer = await loadWithTenant(scope, request);
  if (!answer.ok) return answer;
  const { application: known, tenant } = answer.value;
  const root = rootOf(scope, request);
  const here = `${root}/${known.id}`;
  const body = (
    <>
      <Facts
        of={{
          Token: <State is={known.status} />,
          Kind: known.kind,
          ...(known.agent_profile !== null && { Profile: known.agent_profile }),
          'Requests in the last minute': await useOf(request, tenant, known),
          'Last used': <When at={known.last_used_at} />,
          Created: <When at={known.created_at} />,
        }}
      />
      <Change f={{ request, formError }} here={here} known={known} />
    </>
  );
  return { title: clip(known.name, 120), trail: trailBelow(scope, tenant), body };
};

const PARTS: readonly EditPart<StoredApplication>[] = [
  { key: 'name', label: 'Name' },
  { key: 'scopes', label: 'Scopes', of: ({ scopes }) => scopes.toSorted() },
  { key: 'server_side', label: 'Runs on a server on behalf of shoppers' },
  { key: 'allowed_origins', label: 'Allowed origins' },
  { key: 'rate_limit_per_minute', label: 'Requests per minute' },
  { key: 'expires_at', label: 'Expires (UTC)' },
];

/**
 * Saves what was changed of an application, and asks where somebody else has changed the same meanwhile. Its kind
 * decides which scopes can be added to those that it has.
 */
export const patch =
  (scope: PanelScope) =>
  (request: PageRequest, input: z.output<typeof Patch>): Promise<Outcome> => {
    const { expires_at, ...fields } = input;
    const given = Object.entries(fields).filter(([, value]) => value !== undefined);
    return saveEdit(request, {
      path: apiPathOf(scope, request),
      call: (ask) => request.platform(scope.slug(request), ask),
      load: () => loadApplication(scope, request),
      parts: () => PARTS,
      values: {
        ...Object.fromEntries(given),
        scopes: input.scopes.toSorted(),
        ...(expires_at !== undefined && { expires_at: shownInstant(expires_at) }),
      },
      check: ({ kind, scopes }) => {
        const refused = refusedScopes(kind, input.scopes, scopes);
        return refused === null ? {} : { scopes: [refused] };
      },
    });
  };
