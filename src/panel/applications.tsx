import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { Application, ApplicationWithToken } from '../access/index.ts';
import { PageMeta } from '../kernel/core/pagination.ts';
import {
  Choice,
  clip,
  Facts,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  type Link,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageParam,
  Secret,
  State,
  Table,
  When,
} from '../web/index.ts';
import { Create, Fields, KindAndScopes, type Known, Patch } from './application-form.tsx';
import { confirmPages } from './confirm.tsx';
import { apiOf, MISSING, type PanelScope, rootOf, tenantRow, trailOf, useOf } from './scope.tsx';

const ApplicationList = z.object({ data: z.array(Application), meta: PageMeta });

interface ApplicationsProps {
  readonly root: string;
  readonly list: readonly z.output<typeof Application>[];
  /** The use of each application's rate limit, in the order of `list`. */
  readonly uses: readonly Child[];
}

const Applications = ({ root, list, uses }: ApplicationsProps) => (
  <Table
    label="Applications"
    head={['Name', 'Kind', 'Token', 'Requests in the last minute', 'Last used']}
    rows={list.map((application, at) => [
      <a href={`${root}/${application.id}`}>{clip(application.name)}</a>,
      application.kind,
      <State is={application.status} />,
      uses[at],
      <When at={application.last_used_at} />,
    ])}
    empty={
      <p>
        No applications yet. <a href={`${root}/new`}>Create one</a> for each storefront, app and integration.
        Each has its own token.
      </p>
    }
  />
);

/** Lists applications, each with its use of the rate limit in the last minute. */
const listPage = (scope: PanelScope) => async (request: PageRequest) => {
  const path = `${apiOf(scope, request)}?page=${pageParam(request)}`;
  const [answer, tenant] = await Promise.all([
    request.platform(scope.slug(request), { path, answer: ApplicationList }),
    tenantRow(scope, request),
  ]);
  if (!answer.ok) return answer;
  if (!tenant) return MISSING;
  const { data, meta } = answer.value;
  const root = rootOf(scope, request);
  const uses = await Promise.all(data.map((application) => useOf(request, tenant, application)));
  const body = (
    <>
      <Applications root={root} list={data} uses={uses} />
      <Pages meta={meta} href={(to) => `${root}?page=${to}`} />
    </>
  );
  const trail = trailOf(scope, tenant);
  return {
    title: scope.audience === 'admin' ? `Applications of ${clip(tenant.name)}` : 'Applications',
    ...(trail.length > 0 ? { trail } : {}),
    action: [`${root}/new`, 'New application'] as const,
    body,
  };
};

const newPage = (scope: PanelScope) => async (request: PageRequest, trouble: FormError | null) => {
  const known: Known = {
    name: '',
    allowed_origins: [],
    rate_limit_per_minute: null,
    expires_at: null,
    scopes: [],
    server_side: null,
    kind: null,
  };
  const f = { request, trouble };
  const body = (
    <Form request={request} action={`${rootOf(scope, request)}/new`} submit="Create and show token">
      <KindAndScopes f={f} />
      <Fields f={f} known={known} />
    </Form>
  );
  const trail = [[rootOf(scope, request), 'Applications']] as const;
  return { title: 'New application', trail, body };
};

/** Shows a new token. It appears only in the response to its form: the database keeps a hash. */
const issued = (
  scope: PanelScope,
  request: PageRequest,
  { id, name, token }: z.output<typeof ApplicationWithToken>,
): Outcome => ({
  view: {
    title: `Token of ${name}`,
    body: (
      <>
        <Secret label="Token" value={token} />
        <p>
          <a class="button" href={`${rootOf(scope, request)}/${id}`}>
            View application
          </a>
        </p>
      </>
    ),
  },
});

const create =
  (scope: PanelScope) =>
  async (request: PageRequest, input: z.output<typeof Create>): Promise<Outcome> => {
    const made = await request.platform(scope.slug(request), {
      method: 'POST',
      path: apiOf(scope, request),
      body: input,
      once: request.sent._once?.[0],
      answer: ApplicationWithToken,
    });
    return made.ok ? issued(scope, request, made.value) : made;
  };

const STATUSES = [
  ['active', 'Active'],
  ['passive', 'Passive: the token is rejected'],
] as const;

interface ChangeProps {
  readonly f: Filled;
  /** The application's path. */
  readonly here: string;
  readonly known: z.output<typeof Application>;
}

/** The form that changes an application, beside the link that rotates its token. */
const Change = ({ f, here, known }: ChangeProps) => (
  <div class="beside">
    <Form request={f.request} action={here} submit="Save">
      <Choice f={f} name="status" label="Token" options={STATUSES} value={known.status} />
      <Fields f={f} known={known} />
    </Form>
    <section class="card" aria-labelledby="rotate">
      <h2 id="rotate">New token</h2>
      <p>The current token keeps working for 24 hours, so that you can replace it without downtime.</p>
      <p>
        <a href={`${here}/rotate`}>Rotate the token</a>
      </p>
    </section>
  </div>
);

const onePage = (scope: PanelScope) => async (request: PageRequest, trouble: FormError | null) => {
  const path = `${apiOf(scope, request)}/${encodeURIComponent(request.param('id'))}`;
  const [answer, tenant] = await Promise.all([
    request.platform(scope.slug(request), { path, answer: Application }),
    tenantRow(scope, request),
  ]);
  if (!answer.ok) return answer;
  if (!tenant) return MISSING;
  const known = answer.value;
  const root = rootOf(scope, request);
  const here = `${root}/${known.id}`;
  const body = (
    <>
      <Facts
        of={{
          Token: <State is={known.status} />,
          Kind: known.kind,
          'Requests in the last minute': await useOf(request, tenant, known),
          'Last used': <When at={known.last_used_at} />,
          Created: <When at={known.created_at} />,
        }}
      />
      <Change f={{ request, trouble }} here={here} known={known} />
    </>
  );
  const trail: Link[] = [...trailOf(scope, tenant), [root, 'Applications']];
  return { title: clip(known.name, 120), trail, body };
};

const patch =
  (scope: PanelScope) =>
  async (request: PageRequest, input: z.output<typeof Patch>): Promise<Outcome> => {
    const path = `${apiOf(scope, request)}/${encodeURIComponent(request.param('id'))}`;
    const changed = await request.platform(scope.slug(request), { method: 'PATCH', path, body: input });
    return changed.ok ? { to: request.c.req.path, note: 'saved' } : changed;
  };

const rotation = (scope: PanelScope) => async (request: PageRequest) => {
  const path = `${apiOf(scope, request)}/${encodeURIComponent(request.param('id'))}`;
  const answer = await request.platform(scope.slug(request), { path, answer: Application });
  if (!answer.ok) return answer;
  const { id, name } = answer.value;
  const root = rootOf(scope, request);
  return {
    title: `Rotate the token of ${clip(name, 60)}?`,
    trail: [[root, 'Applications']] as const,
    body: (
      <p>
        A new token is made and shown once. The current token keeps working for 24 hours, then every request
        with it is rejected.
      </p>
    ),
    submit: 'Rotate token',
    keep: [`${root}/${id}`, 'Keep the current token'] as const,
  };
};

const rotate =
  (scope: PanelScope) =>
  async (request: PageRequest): Promise<Outcome> => {
    const rotated = await request.platform(scope.slug(request), {
      method: 'POST',
      path: `${apiOf(scope, request)}/${encodeURIComponent(request.param('id'))}/rotate`,
      once: request.sent._once?.[0],
      answer: ApplicationWithToken,
    });
    return rotated.ok ? issued(scope, request, rotated.value) : rotated;
  };

/** The pages of applications and tokens, below the root of the scope. */
export function applicationPages(scope: PanelScope): readonly Page[] {
  const { audience, root } = scope;
  // A path below the root has the root's prefix, which the template type can't express.
  const at = (path: string) => ({ audience, path: `${root}${path}` as PanelScope['root'] });
  const owners = { needs: 'owner' } as const;
  return [
    getPage(at(''), listPage(scope)),
    getPage(at('/new'), newPage(scope)),
    form({ ...at('/new'), ...owners, form: Create }, newPage(scope), create(scope)),
    getPage(at('/:id'), onePage(scope)),
    form({ ...at('/:id'), ...owners, form: Patch }, onePage(scope), patch(scope)),
    ...confirmPages({ ...at('/:id/rotate'), ...owners }, rotation(scope), rotate(scope)),
  ];
}
