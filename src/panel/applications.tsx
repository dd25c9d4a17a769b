import { z } from 'zod';
import { Application, ApplicationWithToken, DEFAULT_SCOPES, usageOf } from '../access/index.ts';
import { PageMeta } from '../kernel/pagination.ts';
import { SCOPES } from '../kernel/scopes.ts';
import { PLANS, type TenantRow } from '../tenants/index.ts';
import { type Trouble, tenantOf } from './api.ts';
import { Area, Checks, Choice, Field, Form } from './form.tsx';
import { form, look, type Outcome, type Page, type Visit } from './page.ts';
import { Pages, Secret, State, Table, When } from './parts.tsx';
import { lines, list, optional, wholeNumber } from './wire.ts';

const ApplicationList = z.object({ data: z.array(Application), meta: PageMeta });

const KINDS = [
  ['storefront', 'Storefront'],
  ['mobile', 'Mobile app'],
  ['integration', 'Integration'],
] as const;

const Settings = {
  name: z.string(),
  scopes: list,
  allowed_origins: lines,
  rate_limit_per_minute: optional(wholeNumber),
};
const Create = z.object({ ...Settings, kind: z.string() });
const Patch = z.object({ ...Settings, status: z.string() });

/** Where the pages of applications are: below a tenant for the super-admin, at the top for a developer. */
interface Place {
  readonly audience: 'admin' | 'developer';
  readonly root: `/admin${string}` | `/developer${string}`;
  /** The slug of the tenant that a visit is about. */
  slug(visit: Visit): string;
}

const rootOf = (place: Place, visit: Visit): string => place.root.replace(':slug', place.slug(visit));
const apiOf = (place: Place, visit: Visit): string =>
  `/admin/v1/tenants/${encodeURIComponent(place.slug(visit))}/applications`;

const MISSING = { trouble: { message: 'There is no such application.', errors: {}, status: 404 } };

/** The tenant as it is now. */
async function tenantRow(place: Place, visit: Visit): Promise<TenantRow | null> {
  if (place.audience === 'developer') return (await visit.developer()).tenant;
  const found = await tenantOf(visit.env, place.slug(visit));
  return found.ok ? found.value : null;
}

/** Applications, with what each has used of its limit in the last minute. */
const listPage = (place: Place) => async (visit: Visit) => {
  const path = `${apiOf(place, visit)}?page=${encodeURIComponent(visit.query('page') || '1')}`;
  const [answer, tenant] = await Promise.all([
    visit.platform(place.slug(visit), { path, answer: ApplicationList }),
    tenantRow(place, visit),
  ]);
  if (!answer.ok) return answer;
  if (!tenant) return MISSING;
  const { data, meta } = answer.value;
  const limit = PLANS[tenant.plan].requestsPerMinute;
  const used = await Promise.all(data.map(({ id }) => usageOf(visit.env, tenant.id, id)));
  const root = rootOf(place, visit);
  const rows = data.map((application, at) => [
    <a href={`${root}/${application.id}`}>{application.name}</a>,
    application.kind,
    <State is={application.status} />,
    `${used[at] ?? '?'} of ${Math.min(application.rate_limit_per_minute ?? limit, limit)}`,
    <When at={application.last_used_at} />,
  ]);
  const head = ['Name', 'Kind', 'Token', 'Requests in the last minute', 'Last used'];
  const body = (
    <>
      <Table label="Applications" head={head} rows={rows} />
      <Pages meta={meta} href={(to) => `${root}?page=${to}`} />
      <p>
        <a class="button" href={`${root}/new`}>
          New application
        </a>
      </p>
    </>
  );
  return { title: `Applications of ${tenant.name}`, body };
};

interface Known {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly allowed_origins: readonly string[];
  readonly rate_limit_per_minute: number | null;
}

/** The fields that a new application and one that is changed have in common. */
const Fields = ({ visit, trouble, known }: { visit: Visit; trouble: Trouble | null; known: Known }) => {
  const f = { visit, trouble };
  return (
    <>
      <Field f={f} name="name" label="Name" value={known.name} required attributes={{ maxlength: 255 }} />
      <Checks
        f={f}
        name="scopes"
        legend="Scopes"
        hint="Give it the least that it needs."
        options={SCOPES}
        checked={known.scopes}
      />
      <Area
        f={f}
        name="allowed_origins"
        label="Allowed origins"
        value={known.allowed_origins.join('\n')}
        hint="One in a line, such as https://shop.example.com; browsers from elsewhere are refused"
      />
      <Field
        f={f}
        name="rate_limit_per_minute"
        label="Requests a minute"
        type="number"
        value={known.rate_limit_per_minute}
        hint="Empty: as many as the plan allows"
        attributes={{ min: 1, max: 6000 }}
      />
    </>
  );
};

const newPage = (place: Place) => async (visit: Visit, trouble: Trouble | null) => {
  const known = {
    ...{ name: '', allowed_origins: [], rate_limit_per_minute: null },
    scopes: DEFAULT_SCOPES.storefront,
  };
  const body = (
    <Form visit={visit} action={`${rootOf(place, visit)}/new`} submit="Create and show token">
      <Choice f={{ visit, trouble }} name="kind" label="Kind" options={KINDS} value="storefront" />
      <Fields visit={visit} trouble={trouble} known={known} />
    </Form>
  );
  return { title: 'New application', body };
};

/** A token is in the page that its form is answered with, and nowhere else. */
const issued = (
  place: Place,
  visit: Visit,
  { id, name, token }: z.output<typeof ApplicationWithToken>,
): Outcome => ({
  view: {
    title: `Token of ${name}`,
    body: (
      <>
        <Secret label="Token" value={token} />
        <p>
          <a class="button" href={`${rootOf(place, visit)}/${id}`}>
            To the application
          </a>
        </p>
      </>
    ),
  },
});

const create =
  (place: Place) =>
  async (visit: Visit, input: z.output<typeof Create>): Promise<Outcome> => {
    const made = await visit.platform(place.slug(visit), {
      method: 'POST',
      path: apiOf(place, visit),
      body: input,
      once: visit.sent._once?.[0],
      answer: ApplicationWithToken,
    });
    return made.ok ? issued(place, visit, made.value) : made;
  };

const onePage = (place: Place) => async (visit: Visit, trouble: Trouble | null) => {
  const path = `${apiOf(place, visit)}/${encodeURIComponent(visit.param('id'))}`;
  const answer = await visit.platform(place.slug(visit), { path, answer: Application });
  if (!answer.ok) return answer;
  const known = answer.value;
  const here = `${rootOf(place, visit)}/${known.id}`;
  const statuses = [
    ['active', 'Active'],
    ['passive', 'Passive: its token is refused'],
  ] as const;
  const body = (
    <>
      <Form visit={visit} action={here} submit="Save">
        <Choice f={{ visit, trouble }} name="status" label="Token" options={statuses} value={known.status} />
        <Fields visit={visit} trouble={trouble} known={known} />
      </Form>
      <section aria-labelledby="rotate">
        <h2 id="rotate">New token</h2>
        <p>The token in use works for 24 hours more, so that you can replace it without a gap.</p>
        <Form visit={visit} action={`${here}/rotate`} submit="Rotate token" />
      </section>
    </>
  );
  return { title: known.name, body };
};

const patch =
  (place: Place) =>
  async (visit: Visit, input: z.output<typeof Patch>): Promise<Outcome> => {
    const path = `${apiOf(place, visit)}/${encodeURIComponent(visit.param('id'))}`;
    const changed = await visit.platform(place.slug(visit), { method: 'PATCH', path, body: input });
    return changed.ok ? { to: visit.c.req.path, note: 'saved' } : changed;
  };

const rotate =
  (place: Place) =>
  async (visit: Visit): Promise<Outcome> => {
    const rotated = await visit.platform(place.slug(visit), {
      method: 'POST',
      path: `${apiOf(place, visit)}/${encodeURIComponent(visit.param('id'))}/rotate`,
      once: visit.sent._once?.[0],
      answer: ApplicationWithToken,
    });
    return rotated.ok ? issued(place, visit, rotated.value) : rotated;
  };

/** The pages of applications and tokens at one place. */
export function applicationPages(place: Place): readonly Page[] {
  const { audience, root } = place;
  const at = (path: string) => ({ audience, path: `${root}${path}` as Place['root'] });
  return [
    look(at(''), listPage(place)),
    look(at('/new'), newPage(place)),
    form({ ...at('/new'), form: Create }, newPage(place), create(place)),
    look(at('/:id'), onePage(place)),
    form({ ...at('/:id'), form: Patch }, onePage(place), patch(place)),
    form({ ...at('/:id/rotate'), form: z.object({}) }, onePage(place), rotate(place)),
  ];
}
