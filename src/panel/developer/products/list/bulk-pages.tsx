import { z } from 'zod';
import { ProductList } from '../../../../catalog/index.ts';
import {
  allAnswers,
  amountProblem,
  asFormError,
  clip,
  Form,
  type FormError,
  form,
  formPages,
  type Outcome,
  type Page,
  type PageRequest,
  renameErrors,
} from '../../../../web/index.ts';
import { countOf } from '../../../count-of.ts';
import { loadCategories } from '../../../pickers/category-picker.tsx';
import { pickedIds } from '../../../pickers/choices.tsx';
import type { Filters } from '../../../search-form.tsx';
import { root } from '../product.tsx';
import { BulkFields, BulkForm, changeOf, FIELD_OF } from './bulk-form.tsx';
import { Progress, progressView, runStep } from './bulk-steps.tsx';
import { apiQuery, FILTERS } from './filters.tsx';
import { BULK_PATH } from './product-list.tsx';

/** Names that the page of a change lists. */
const MAX_NAMED = 12;

/** The products to change: some by id, or, with null, all that match the filters. */
interface Chosen {
  readonly ids: readonly number[] | null;
  readonly filters: Filters;
  /** The choice as the query of an address, for the form to keep it. */
  readonly query: string;
}

/** Returns what the list has chosen: from the address or, once the form is submitted, from its field. */
function chosenOf(request: PageRequest): Chosen {
  const query = new URLSearchParams(request.sent.chosen?.[0] ?? new URL(request.c.req.url).search);
  const filters = FILTERS.flatMap((name) => {
    const value = query.get(name);
    return value ? [[name, value] as const] : [];
  });
  const { data: ids = [] } = pickedIds.safeParse(query.getAll('ids'));
  return {
    ids: query.get('all') === 'yes' ? null : ids,
    filters: Object.fromEntries(filters),
    query: query.toString(),
  };
}

/** Loads the first of the chosen products, and how many there are. */
function loadChosen(request: PageRequest, { ids, filters }: Chosen) {
  const query = ids ? new URLSearchParams({ ids: ids.join(','), status: 'all' }) : apiQuery(filters);
  query.set('limit', String(ids ? ids.length : MAX_NAMED));
  return request.api({ path: `/v1/products?${query}`, answer: ProductList });
}

const trail = [[root, 'Products']] as const;

const bulkPage = async (request: PageRequest, formError: FormError | null) => {
  const chosen = chosenOf(request);
  if (chosen.ids?.length === 0) return { title: 'Change products', trail, body: <NoneChosen /> };
  const read = await allAnswers({
    products: loadChosen(request, chosen),
    categories: loadCategories(request),
  });
  if (!read.ok) return read;
  const { data, meta } = read.value.products;
  const total = chosen.ids ? data.length : meta.total;
  const named = data.slice(0, MAX_NAMED).map(({ name }) => clip(name, 40));
  const body = (
    <>
      <p>
        {named.join(', ')}
        {total > named.length && ` and ${total - named.length} more`}
      </p>
      <Form request={request} action={BULK_PATH} submit={`Change ${countOf(total, 'product')}`}>
        <input type="hidden" name="chosen" value={chosen.query} />
        <BulkFields
          f={{ request, formError }}
          currency={request.tenant.currencies[0] ?? ''}
          categories={read.value.categories}
        />
      </Form>
    </>
  );
  return { title: `Change ${countOf(total, 'product')}`, trail, body };
};

const NoneChosen = () => (
  <p>
    No product is ticked. <a href={root}>Tick products in the list</a>, then change them together.
  </p>
);

/** Runs the first step of a change. Errors of the API are shown at the form's fields. */
async function begin(request: PageRequest, input: z.output<typeof BulkForm>): Promise<Outcome> {
  const change = changeOf(input);
  if ('formError' in change) return change;
  const isAmount = change.price !== undefined && change.price.kind !== 'percent';
  const problem = amountProblem(request.sent.by?.[0]?.trim() ?? '', request.tenant.currencies[0] ?? '');
  if (isAmount && problem !== null) return asFormError(problem, 422, 'by');
  const { ids, filters } = chosenOf(request);
  const outcome = await runStep(request, {
    change,
    ids: ids && [...ids],
    filters,
    cursor: null,
    total: 0,
    done: 0,
    updated: 0,
    unchanged: 0,
    failed: 0,
    refused: [],
  });
  if (!('formError' in outcome)) return outcome;
  return { formError: renameErrors(outcome.formError, (field) => FIELD_OF[field] ?? field) };
}

/** The field with which a change is continued. */
const StepForm = z.object({ progress: z.string() });

function progressOf(text: string): Progress | null {
  try {
    const progress = Progress.safeParse(JSON.parse(text));
    return progress.success ? progress.data : null;
  } catch {
    return null;
  }
}

const LOST = asFormError('The change can’t be continued. Begin it again in the list.', 422);

/** Shows a step that failed, with the form that tries it again. */
const stepPage = async (request: PageRequest) => {
  const progress = progressOf(request.sent.progress?.[0] ?? '');
  return progress ? progressView(request, progress) : LOST;
};

async function step(request: PageRequest, { progress: text }: z.output<typeof StepForm>): Promise<Outcome> {
  const progress = progressOf(text);
  return progress ? runStep(request, progress) : LOST;
}

const at = (path: string) =>
  ({ path: `/developer/products/bulk${path}`, audience: 'developer', needs: 'staff' }) as const;

/** The pages that change several products at once, in steps. */
export const bulkPages: readonly Page[] = [
  ...formPages({ ...at(''), form: BulkForm }, bulkPage, begin),
  form({ ...at('/step'), form: StepForm }, stepPage, step),
];
