import { type CallRecord, callById, callsOf, type OwnedCall, STATUS_CLASSES } from '../../access/index.ts';
import { iso } from '../../kernel/core/clock.ts';
import {
  ActionLink,
  asFormError,
  clip,
  Facts,
  getPage,
  type Page,
  type PageRequest,
  type PagesProps,
  pageAsked,
  Table,
} from '../../web/index.ts';
import { type App, applicationsOf } from './applications-of.ts';
import { Filter, HERE, Lookup } from './request-filters.tsx';

const PAGE_SIZE = 15;

/** An instant to the second, in UTC as in other logs: with a title it isn't shown in local time. */
const Moment = ({ at }: { at: number }) => (
  <time class="lines" datetime={iso(at)} title={iso(at)}>
    {iso(at).slice(0, 19).replace('T', ' ')} UTC
  </time>
);

/** A status, marked when it is an error. */
const Status = ({ of: status }: { of: number }) => (
  <span class={`state ${status >= 400 ? 'bad' : 'good'}`}>{status}</span>
);

interface CallsProps {
  readonly calls: readonly CallRecord[];
  readonly filtered: boolean;
  readonly pages: PagesProps;
}

const Calls = ({ calls, filtered, pages }: CallsProps) => (
  <Table
    label="Requests"
    head={['Time', 'Request', 'Status', 'Duration', 'Request id']}
    figures={[3]}
    rows={calls.map(({ at, method, route, status, ms, id }) => [
      <Moment at={at} />,
      <code>
        {method} {route}
      </code>,
      <Status of={status} />,
      `${ms} ms`,
      <code>{id}</code>,
    ])}
    pages={pages}
    empty={
      filtered ? (
        <p>
          No request of the last 1,000 matches. <a href={HERE}>Remove the filters</a>
        </p>
      ) : (
        <p>
          No requests in the last 30 days. They appear here a second or two after the{' '}
          <a href="/developer/quick-start">first call</a>.
        </p>
      )
    }
  />
);

const FOOTNOTE = (
  <p class="hint">
    The last 1,000 requests of each application, for 30 days: never a body, a query, or the values in a path.
    The duration is the time until the response began. Requests without a valid token are not logged.
  </p>
);

const FoundCall = ({ owned, name }: { owned: OwnedCall; name: string }) => {
  const { at, method, route, status, ms } = owned.call;
  return (
    <Facts
      of={{
        Application: <a href={`${HERE}?application=${owned.applicationId}`}>{clip(name)}</a>,
        Time: <Moment at={at} />,
        Request: (
          <code>
            {method} {route}
          </code>
        ),
        Status: <Status of={status} />,
        Duration: `${ms} ms`,
      }}
    />
  );
};

/** Shows the request with an id, whichever application sent it. */
async function lookup(request: PageRequest, all: readonly App[], id: string) {
  const names = all.map((app) => ({ tenantId: request.tenant.id, applicationId: app.id }));
  const owned = await callById(request.env, names, id);
  const name = all.find((app) => app.id === owned?.applicationId)?.name ?? '';
  const body = (
    <>
      <Lookup id={id} />
      {owned ? (
        <FoundCall owned={owned} name={name} />
      ) : (
        <div class="empty">
          <p>
            No request with this id is among the last 1,000 of any application.{' '}
            <a href={HERE}>Show the log</a>
          </p>
        </div>
      )}
      {FOOTNOTE}
    </>
  );
  return { title: 'Request log', body };
}

/** Returns the link to a page of the log, with the filters of the request. */
const hrefOf = (request: PageRequest, chosen: App) => (page: number) => {
  const query = new URLSearchParams({ application: String(chosen.id) });
  for (const name of ['status', 'method', 'route']) {
    if (request.query(name)) query.set(name, request.query(name));
  }
  query.set('page', String(page));
  return `${HERE}?${query}`;
};

const emptyPage = (request: PageRequest) => ({
  title: 'Request log',
  body: (
    <div class="empty">
      <p>
        No applications yet. Their requests appear here.{' '}
        <ActionLink request={request} href="/developer/applications/new">
          Create the first one
        </ActionLink>
      </p>
    </div>
  ),
});

const logPage = async (request: PageRequest) => {
  const answer = await applicationsOf(request);
  if (!answer.ok) return answer;
  const all = answer.value;
  const id = request.query('request').trim();
  if (id) return lookup(request, all, id);
  const asked = request.query('application');
  const chosen = asked ? all.find((app) => String(app.id) === asked) : all[0];
  if (!chosen) return asked ? asFormError('Application not found.', 404) : emptyPage(request);
  const filter = {
    status: STATUS_CLASSES.find((one) => one === request.query('status')),
    method: request.query('method') || undefined,
    route: request.query('route') || undefined,
  };
  const name = { tenantId: request.tenant.id, applicationId: chosen.id };
  const found = await callsOf(request.env, name, { filter, page: pageAsked(request), limit: PAGE_SIZE });
  if (!found) return asFormError('The request log cannot be reached. Try again in a moment.', 503);
  const { calls, total } = found;
  // The log returns its last page for one past the end; the list says that there is no such page.
  const meta = { page: pageAsked(request), total, total_pages: Math.ceil(total / PAGE_SIZE) };
  const body = (
    <>
      <Filter request={request} all={all} chosen={chosen} found={found} />
      <Lookup id="" />
      <Calls
        calls={calls}
        filtered={Object.values(filter).some((value) => value !== undefined)}
        pages={{ meta, href: hrefOf(request, chosen) }}
      />
      {FOOTNOTE}
    </>
  );
  return { title: 'Request log', body };
};

/** The log of each application's last requests. */
export const requestLogPages: readonly Page[] = [getPage({ path: HERE, audience: 'developer' }, logPage)];
