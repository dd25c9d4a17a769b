import { type AuditChange, type AuditPage, actorFormat, listAudit } from '../../audit/index.ts';
import { DAY, iso } from '../../kernel/core/clock.ts';
import { directory } from '../../kernel/data/database.ts';
import { tenantIdOf } from '../../kernel/shards/placements.ts';
import { capitalized } from '../../kernel/text/text.ts';
import { isInCalendar } from '../../kernel/values/time-zone.ts';
import { clip, getPage, listDevelopers, type Page, type PageRequest, Table, When } from '../../web/index.ts';
import { type FilterOption, FilterSelect, ListFilters } from '../search-form.tsx';

/** Entries on one page, and what one entry shows of its changes. */
const PAGE_SIZE = 12;
const MAX_CHANGES_SHOWN = 4;
const VALUE_LENGTH = 32;
const ID_LENGTH = 14;

/** The most people to choose from; everybody else's entries are found by a click on their name. */
const MAX_CHOICES = 40;

/** What entries are about, as the log stores it. */
const KINDS = [
  'products',
  'categories',
  'media',
  'imports',
  'inventory',
  'orders',
  'customers',
  'promotions',
  'coupons',
  'feeds',
  'theme',
  'settings',
  'webhooks',
  'applications',
  'people',
  'tenants',
];

type Entry = AuditPage['entries'][number];

/** `updateProduct` → "Update product". */
const inWords = (action: string): string =>
  capitalized(action.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase());

const value = (text: string): string =>
  ['', 'null', '[]'].includes(text) ? 'none' : clip(text, VALUE_LENGTH);

/** The path of a field, which may break behind its dots. */
const FieldPath = ({ of: path }: { of: string }) => (
  <>
    {clip(path, VALUE_LENGTH)
      .split(/(?<=\.)/)
      .flatMap((part) => [part, <wbr />])}
  </>
);

const Change = ({ of: { field, old, new: next } }: { of: AuditChange }) => (
  <div>
    <FieldPath of={field} />
    {(old !== undefined || next !== undefined) && ': '}
    {old !== undefined && (
      <>
        <del>{value(old)}</del>
        {next !== undefined && ' → '}
      </>
    )}
    {next !== undefined && value(next)}
  </div>
);

const Changes = ({ of: { changes } }: { of: Entry }) => (
  <>
    {changes.slice(0, MAX_CHANGES_SHOWN).map((change) => (
      <Change of={change} />
    ))}
    {changes.length > MAX_CHANGES_SHOWN && <div>and {changes.length - MAX_CHANGES_SHOWN} more</div>}
  </>
);

/** What was changed: "products 7 Mug". An id stays on one line. */
const Subject = ({ of: { subjectKind, subjectId, subjectName } }: { of: Entry }) => (
  <div>
    {subjectKind} {subjectId && <span class="together">{clip(subjectId, ID_LENGTH)}</span>}
    {subjectName && <div>{clip(subjectName, 60)}</div>}
  </div>
);

/** Where the log is shown, and whose entries. */
interface AuditScope {
  readonly audience: 'admin' | 'developer';
  readonly root: '/admin/audit-log' | '/developer/audit-log';
}

const FILTERS = ['tenant', 'actor', 'kind', 'from', 'to'] as const;

/** Returns the path of the log with the request's filters, some replaced. */
function hrefOf({ root }: AuditScope, request: PageRequest, more: Record<string, string>): string {
  const kept = FILTERS.map((name) => [name, request.query(name)] as const);
  const query = new URLSearchParams([...kept, ...Object.entries(more)].filter(([, text]) => text !== ''));
  return `${root}?${query}`;
}

const Day = ({ request, name, label }: { request: PageRequest; name: 'from' | 'to'; label: string }) => (
  <label>
    {label} <input type="date" name={name} value={request.query(name)} />
  </label>
);

interface FilterProps {
  readonly scope: AuditScope;
  readonly request: PageRequest;
  readonly people: readonly FilterOption[];
}

const Filter = ({ scope, request, people }: FilterProps) => (
  <ListFilters action={scope.root}>
    {scope.audience === 'admin' && (
      <label>
        Tenant (slug)
        <input name="tenant" value={request.query('tenant')} />
      </label>
    )}
    <FilterSelect
      name="actor"
      label="Person"
      options={[['', 'Anyone'], ...withChosen(people, request.query('actor'))]}
      value={request.query('actor')}
    />
    <FilterSelect
      name="kind"
      label="Subject"
      options={[['', 'Anything'], ...KINDS]}
      value={request.query('kind')}
    />
    <Day request={request} name="from" label="From (UTC)" />
    <Day request={request} name="to" label="Until (UTC)" />
  </ListFilters>
);

/** Returns who made a change, as the filter names them. */
const actorOf = ({ actorKind, actorId }: Entry): string =>
  actorId === null ? actorKind : `${actorKind}:${actorId}`;

const Entries = ({ scope, request, found }: FilterProps & { found: AuditPage }) => (
  <Table
    label="Changes"
    head={['When', 'Who', 'Action', 'Subject', 'Changes']}
    rows={found.entries.map((entry) => [
      <When at={iso(entry.at)} />,
      <div>
        <a href={hrefOf(scope, request, { actor: actorOf(entry) })}>{clip(entry.actorName, 40)}</a>
        {scope.audience === 'admin' && entry.tenant && <small class="hint"> {entry.tenant}</small>}
      </div>,
      inWords(entry.action),
      <Subject of={entry} />,
      <Changes of={entry} />,
    ])}
    empty={<NoneFound scope={scope} filtered={FILTERS.some((name) => request.query(name) !== '')} />}
  />
);

const NoneFound = ({ scope, filtered }: { scope: AuditScope; filtered: boolean }) =>
  filtered ? (
    <p>
      No changes of the last 365 days match these filters. <a href={scope.root}>Show all changes</a>
    </p>
  ) : (
    <p>No changes in the last 365 days.</p>
  );

/** The people to choose from: the tenant's, if the page is about one. */
async function choices(scope: AuditScope, request: PageRequest): Promise<FilterOption[]> {
  const slug = scope.audience === 'developer' ? request.tenant.slug : request.query('tenant');
  const people = await listDevelopers(directory(request.env), slug);
  return people.slice(0, MAX_CHOICES).map(({ id, name }) => [`panel:${id}`, clip(name, 32)]);
}

/** Returns the tenant that the page is about; `undefined` for the whole platform, 0 for a slug that nobody has. */
async function tenantIn(scope: AuditScope, request: PageRequest): Promise<number | undefined> {
  if (scope.audience === 'developer') return request.tenant.id;
  const slug = request.query('tenant');
  return slug === '' ? undefined : ((await tenantIdOf(request.env, slug)) ?? 0);
}

/** Adds the platform, and an application or a person that the request names and the choices don't have. */
function withChosen(people: readonly FilterOption[], actor: string): FilterOption[] {
  const all: FilterOption[] = [...people, ['platform', 'Super-admin']];
  if (!actorFormat.test(actor) || all.some(([value]) => value === actor)) return all;
  const [kind, id] = actor.split(':');
  return [...all, [actor, `${kind === 'panel' ? 'Person' : 'Application'} ${id}`]];
}

/** Returns the start of a day in UTC (ms since the epoch), `undefined` for what is no day. */
const startOf = (day: string): number | undefined => {
  const midnight = `${day}T00:00`;
  return /^\d{4}-\d{2}-\d{2}$/.test(day) && isInCalendar(midnight) ? Date.parse(`${midnight}Z`) : undefined;
};

const auditPage = (scope: AuditScope) => async (request: PageRequest) => {
  const before = request.query('before');
  const tenant = await tenantIn(scope, request);
  const to = startOf(request.query('to'));
  const filter = {
    tenant,
    actor: request.query('actor'),
    kind: request.query('kind'),
    from: startOf(request.query('from')),
    to: to === undefined ? undefined : to + DAY,
  };
  const [found, people] = await Promise.all([
    listAudit(request.env, filter, { limit: PAGE_SIZE, before }),
    choices(scope, request),
  ]);
  const props = { scope, request, people };
  const body = (
    <>
      <Filter {...props} />
      {found.unavailable.length > 0 && (
        <p role="status">
          {found.unavailable.join(', ')} can't be reached: entries of their tenants are missing.
        </p>
      )}
      <Entries {...props} found={found} />
      <nav class="pages" aria-label="Pages">
        {before && <a href={hrefOf(scope, request, {})}>Newest</a>}
        {found.older && (
          <a rel="next" href={hrefOf(scope, request, { before: found.older })}>
            Older
          </a>
        )}
      </nav>
      <p class="hint">
        Changes made through the panels, and calls with a token that change settings, theme, webhooks, product
        feeds or applications: for 365 days and up to 10,000 a shop. Other calls are in the request log.
        Secrets and personal data are never recorded.
      </p>
    </>
  );
  return { title: 'Audit log', body };
};

/** The audit log of a tenant, for its owners, and of the whole platform. */
export const auditPages = (scope: AuditScope): readonly Page[] => {
  const { root: path, audience } = scope;
  return [getPage({ path, audience, needs: 'owner' }, auditPage(scope))];
};
