import { z } from 'zod';
import { BulkChange, BulkResult, MAX_BULK_PRODUCTS, ProductList } from '../../../../catalog/index.ts';
import {
  type Answer,
  clip,
  Form,
  NextLink,
  type Outcome,
  type PageRequest,
  Part,
  postOnce,
  Table,
  type View,
} from '../../../../web/index.ts';
import { root } from '../product.tsx';
import { apiQuery } from './filters.tsx';

/** Largest number of refused products that a bulk change lists. */
const MAX_LISTED = 20;

/** A bulk change under way. The form that continues it carries all of it, so nothing is stored. */
export const Progress = z.object({
  change: BulkChange,
  /** The products, or null for all that match the filters. */
  ids: z.array(z.int()).max(MAX_BULK_PRODUCTS).nullable(),
  filters: z.record(z.string(), z.string()),
  /** Where the next step begins; null: at the beginning, or at the end. */
  cursor: z.string().nullable(),
  total: z.int(),
  done: z.int(),
  updated: z.int(),
  unchanged: z.int(),
  failed: z.int(),
  refused: z.array(z.object({ id: z.int(), name: z.string(), message: z.string() })).max(MAX_LISTED),
});
export type Progress = z.output<typeof Progress>;

/** The path of the form that continues a bulk change. */
const STEP_PATH = `${root}/bulk/step`;

/** A bulk change's next products, and where those after them begin. */
interface Step {
  readonly products: readonly { readonly id: number; readonly name: string }[];
  readonly total: number;
  readonly cursor: string | null;
}

/** Finds the next products. A cursor continues by id, so that products which no longer match are not missed. */
async function nextStep(request: PageRequest, { ids, filters, cursor }: Progress): Promise<Answer<Step>> {
  const query = ids
    ? new URLSearchParams({ ids: ids.join(','), status: 'all' })
    : apiQuery({ ...filters, sort: 'oldest', ...(cursor !== null && { cursor }) });
  query.set('limit', String(MAX_BULK_PRODUCTS));
  const found = await request.api({ path: `/v1/products?${query}`, answer: ProductList });
  if (!found.ok) return found;
  const { data, meta } = found.value;
  return { ok: true, value: { products: data, total: meta.total, cursor: ids ? null : meta.next_cursor } };
}

/** Changes the next products, at most {@link MAX_BULK_PRODUCTS}, and shows how far the change has come. */
export async function runStep(request: PageRequest, progress: Progress): Promise<Outcome> {
  const step = await nextStep(request, progress);
  if (!step.ok) return step;
  const { products, cursor } = step.value;
  const total = progress.done === 0 ? (progress.ids?.length ?? step.value.total) : progress.total;
  const ids = progress.ids ?? products.map(({ id }) => id);
  if (ids.length === 0) return { view: progressView(request, { ...progress, total, cursor: null }) };
  const changed = await postOnce(request, {
    path: '/v1/products/bulk',
    answer: BulkResult,
    body: { ids, change: progress.change },
  });
  if (!changed.ok) return changed;
  const { updated, unchanged, errors } = changed.value;
  const names = new Map(products.map(({ id, name }) => [id, name]));
  const refused = errors.map(({ id, message, errors: byField = {} }) => {
    const reasons = Object.entries(byField).map(([field, texts]) => `${field} ${texts.join(', ')}`);
    const why = reasons.length > 0 ? reasons.join('; ') : message;
    return { id, name: clip(names.get(id) ?? `Product ${id}`, 60), message: clip(why, 160) };
  });
  const after: Progress = {
    ...progress,
    cursor,
    total,
    done: progress.done + ids.length,
    updated: progress.updated + updated,
    unchanged: progress.unchanged + unchanged,
    failed: progress.failed + errors.length,
    refused: [...progress.refused, ...refused].slice(0, MAX_LISTED),
  };
  return { view: progressView(request, after) };
}

const trail = [[root, 'Products']] as const;

/** The page of a bulk change: how far it has come, with the form that continues it; or what it did. */
export function progressView(request: PageRequest, progress: Progress): View {
  const { cursor, total, done } = progress;
  const ended = cursor === null;
  const body = (
    <>
      <p role="status">{ended ? 'The change is done.' : `${done} of ${total} products are done.`}</p>
      <progress
        max={Math.max(1, total)}
        value={ended ? Math.max(1, total) : done}
        aria-label="Products done"
      />
      <Counts of={progress} />
      {ended ? (
        <NextLink href={root} label="View products" />
      ) : (
        <Form request={request} action={STEP_PATH} submit="Continue">
          <input type="hidden" name="progress" value={JSON.stringify(progress)} data-continue />
          <Part name="bulk" />
        </Form>
      )}
    </>
  );
  return { title: ended ? 'Products changed' : 'Changing products', trail, body };
}

const Counts = ({ of: { updated, unchanged, failed, refused } }: { of: Progress }) => (
  <>
    <ul>
      <li>{updated} changed</li>
      {unchanged > 0 && <li>{unchanged} had nothing to change</li>}
      {failed > 0 && (
        <li>
          {failed === 1 ? '1 was refused and stays as it is' : `${failed} were refused and stay as they are`}
        </li>
      )}
    </ul>
    {refused.length > 0 && (
      <Table
        label="Refused products"
        head={['Product', 'Why']}
        rows={refused.map(({ id, name, message }) => [<a href={`${root}/${id}`}>{name}</a>, message])}
      />
    )}
    {failed > refused.length && <p class="hint">The first {refused.length} are listed.</p>}
  </>
);
