import type { Child } from 'hono/jsx';
import { z } from 'zod';
import { Application } from '../../access/index.ts';
import { PageMeta } from '../../kernel/core/pagination.ts';
import { ActionLink, clip, type PageRequest, pageParam, State, Table, When } from '../../web/index.ts';
import { apiOf, MISSING, type PanelScope, rootOf, tenantRow, trailOf, useOf } from './scope.tsx';

const ApplicationList = z.object({ data: z.array(Application), meta: PageMeta });

interface ApplicationsProps {
  readonly request: PageRequest;
  readonly root: string;
  readonly list: readonly z.output<typeof Application>[];
  /** The use of each application's rate limit, in the order of `list`. */
  readonly uses: readonly Child[];
  readonly meta: z.output<typeof PageMeta>;
}

const Applications = ({ request, root, list, uses, meta }: ApplicationsProps) => (
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
        No applications yet. Each storefront, app and integration has one, with a token of its own.{' '}
        <ActionLink request={request} href={`${root}/new`}>
          Create the first one
        </ActionLink>
      </p>
    }
    pages={{ meta, href: (to) => `${root}?page=${to}` }}
  />
);

/** Lists applications, each with its use of the rate limit in the last minute. */
export const listPage = (scope: PanelScope) => async (request: PageRequest) => {
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
  const body = <Applications request={request} root={root} list={data} uses={uses} meta={meta} />;
  const trail = trailOf(scope, tenant);
  return {
    title: scope.audience === 'admin' ? `Applications of ${clip(tenant.name)}` : 'Applications',
    ...(trail.length > 0 ? { trail } : {}),
    action: [`${root}/new`, 'New application'] as const,
    body,
  };
};
