import { z } from 'zod';
import { Application } from '../../access/index.ts';
import type { Answer, PageRequest } from '../../web/index.ts';

const ApplicationList = z.object({ data: z.array(Application) });

/** An application, as the platform API shows it. */
export type App = z.output<typeof Application>;

/** Returns all applications of the tenant, at most the largest plan's 200, the last used first. */
export async function applicationsOf(request: PageRequest): Promise<Answer<App[]>> {
  const { slug } = request.tenant;
  const page = (number: number) =>
    request.platform(slug, {
      path: `/admin/v1/tenants/${slug}/applications?limit=100&page=${number}`,
      answer: ApplicationList,
    });
  const [first, second] = await Promise.all([page(1), page(2)]);
  if (!first.ok) return first;
  if (!second.ok) return second;
  const used = ({ last_used_at }: App) => last_used_at ?? '';
  const all = [...first.value.data, ...second.value.data];
  return { ok: true, value: all.sort((a, b) => used(b).localeCompare(used(a)) || a.id - b.id) };
}
