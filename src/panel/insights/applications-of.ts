import { z } from 'zod';
import { Application } from '../../access/index.ts';
import { type Answer, allAnswers, type PageRequest } from '../../web/index.ts';

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
  const pages = await allAnswers({ first: page(1), second: page(2) });
  if (!pages.ok) return pages;
  const used = ({ last_used_at }: App) => last_used_at ?? '';
  const all = Object.values(pages.value).flatMap(({ data }) => data);
  return { ok: true, value: all.sort((a, b) => used(b).localeCompare(used(a)) || a.id - b.id) };
}
