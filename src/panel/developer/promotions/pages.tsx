import type { z } from 'zod';
import { formatMoney } from '../../../kernel/values/money.ts';
import { type Order, OrderList } from '../../../orders/index.ts';
import { PromotionAnswer, PromotionProducts } from '../../../promotions/index.ts';
import {
  ActionLink,
  allAnswers,
  clip,
  Facts,
  Form,
  type FormError,
  formPages,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Pages,
  pageParam,
  postOnce,
  renameErrors,
  Table,
  When,
} from '../../../web/index.ts';
import { confirmPages, deleteAt } from '../../confirm.tsx';
import { EditedParts, saveEdit } from '../../editing/save-edit.tsx';
import { loadCategories } from '../../pickers/category-picker.tsx';
import { loadProducts, productChoice } from '../../pickers/product-picker.tsx';
import { Fields } from './fields.tsx';
import {
  apiPath,
  exportPromotions,
  listPage,
  NEW_PROMOTION_PATH,
  PROMOTIONS_PATH,
  StandingState,
  trail,
} from './list.tsx';
import { bodyOf, fieldOf, PromotionForm, type PromotionInput, partsOf, valuesOf } from './promotion-form.ts';
import { type Promotion, Sentence, standingOf, usesText } from './sentence.tsx';

const REDEMPTIONS_SHOWN = 10;

/** Loads what the pickers of a promotion's form show. */
const loadPickers = (request: PageRequest) =>
  allAnswers({
    categories: loadCategories(request),
    products: loadProducts(request, { name: 'conditions.product_ids' }),
  });

/** Loads a promotion and the products that it names. */
async function loadNamed(request: PageRequest) {
  const path = apiPath(request);
  const read = await allAnswers({
    promotion: request.api({ path, answer: PromotionAnswer }),
    products: request.api({ path: `${path}/products`, answer: PromotionProducts }),
  });
  if (!read.ok) return read;
  const { promotion, products } = read.value;
  return { ok: true as const, value: { promotion, named: products.data.map(productChoice) } };
}

/** Returns what a copy begins with: all but the code, which only one promotion can have. */
const copyOf = (promotion: Promotion): Promotion => ({
  ...promotion,
  name: clip(`Copy of ${promotion.name}`, 120),
  code: null,
  uses: 0,
});

/** The form for a new promotion: empty, or filled in as a copy of another one. */
const newForm = async (
  request: PageRequest,
  formError: FormError | null,
  loading: ReturnType<typeof loadNamed> | null,
) => {
  const [pickers, copied] = await Promise.all([loadPickers(request), loading]);
  if (!pickers.ok) return pickers;
  if (copied && !copied.ok) return copied;
  const body = (
    <Form request={request} action={NEW_PROMOTION_PATH} submit="Create promotion" unsaved bare>
      <Fields
        f={{ request, formError }}
        known={copied && copyOf(copied.value.promotion)}
        currencies={request.tenant.currencies}
        {...pickers.value}
        named={copied ? copied.value.named : []}
      />
    </Form>
  );
  return { title: 'New promotion', trail, body };
};

const newPage = (request: PageRequest, formError: FormError | null) => newForm(request, formError, null);

const copyPage = (request: PageRequest) => newForm(request, null, loadNamed(request));

const onePage = async (request: PageRequest, formError: FormError | null) => {
  const page = pageParam(request);
  const read = await allAnswers({
    found: loadNamed(request),
    orders: request.api({
      path: `/v1/orders?promotion_id=${encodeURIComponent(request.param('id'))}&limit=${REDEMPTIONS_SHOWN}&page=${page}`,
      answer: OrderList,
    }),
    pickers: loadPickers(request),
  });
  if (!read.ok) return read;
  const { found, orders, pickers } = read.value;
  const { promotion, named } = found;
  const [currency = ''] = request.tenant.currencies;
  const here = `${PROMOTIONS_PATH}/${promotion.id}`;
  const f = { request, formError };
  const body = (
    <>
      <Sentence promotion={promotion} currency={currency} />
      <Summary promotion={promotion} />
      <Form request={request} action={here} submit="Save" unsaved bare>
        <EditedParts f={f} parts={partsOf(currency)} stored={promotion} />
        <Fields f={f} known={promotion} currencies={request.tenant.currencies} {...pickers} named={named} />
      </Form>
      <h2>Redemptions</h2>
      <Redemptions promotionId={promotion.id} orders={orders.data} />
      <Pages meta={orders.meta} href={(to) => `${here}?page=${to}`} />
      <Actions request={request} here={here} />
    </>
  );
  return { title: clip(promotion.name, 120), trail, body };
};

const Actions = ({ request, here }: { readonly request: PageRequest; readonly here: string }) => (
  <p class="actions">
    <ActionLink request={request} href={`${here}/duplicate`} class="button secondary">
      Duplicate
    </ActionLink>
    <ActionLink request={request} href={`${here}/delete`} class="button danger quiet">
      Delete promotion
    </ActionLink>
  </p>
);

const Summary = ({ promotion }: { promotion: Promotion }) => (
  <Facts
    of={{
      Status: <StandingState is={standingOf(promotion)} />,
      Redeemed: usesText(promotion),
      Changed: <When at={promotion.updated_at} />,
    }}
  />
);

interface RedemptionsProps {
  readonly promotionId: number;
  readonly orders: readonly z.output<typeof Order>[];
}

/** The orders that redeemed a promotion, each with what it saved. */
const Redemptions = ({ promotionId, orders }: RedemptionsProps) => (
  <Table
    label="Orders that redeemed the promotion"
    head={['Order', 'Placed', 'Customer', 'Saved', 'Total']}
    figures={[3, 4]}
    rows={orders.map(({ id, number, created_at, customer, currency, totals, applied_promotions }) => [
      <a href={`/developer/orders/${id}`}>{number}</a>,
      <When at={created_at} />,
      clip(customer.name ?? customer.email ?? '–', 40),
      formatMoney(applied_promotions.find((one) => one.id === promotionId)?.amount ?? 0, currency),
      formatMoney(totals.grand_total, currency),
    ])}
    empty={<p>No order has redeemed it yet.</p>}
  />
);

async function create(request: PageRequest, input: PromotionInput): Promise<Outcome> {
  const made = await postOnce(request, {
    path: '/v1/promotions',
    body: bodyOf(valuesOf(input)),
    answer: PromotionAnswer,
  });
  return made.ok
    ? { to: `${PROMOTIONS_PATH}/${made.value.id}`, note: 'created' }
    : { formError: renameErrors(made.formError, fieldOf(input)) };
}

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
function change(request: PageRequest, input: PromotionInput): Promise<Outcome> {
  const [currency = ''] = request.tenant.currencies;
  return saveEdit(request, {
    path: apiPath(request),
    load: () => request.api({ path: apiPath(request), answer: PromotionAnswer }),
    parts: () => partsOf(currency),
    values: valuesOf(input),
    patch: (_, changed) => bodyOf(changed),
    fieldOf: fieldOf(input),
  });
}

function ordersText(uses: number): string {
  if (uses === 0) return 'No order has';
  return uses === 1 ? '1 order has' : `${uses} orders have`;
}

const deletePages = confirmPages(
  { path: '/developer/promotions/:id/delete', audience: 'developer' },
  async (request) => {
    const found = await request.api({ path: apiPath(request), answer: PromotionAnswer });
    if (!found.ok) return found;
    const { id, name, uses } = found.value;
    const here = `${PROMOTIONS_PATH}/${id}`;
    return {
      title: `Delete the promotion ${clip(name, 60)}?`,
      trail: [...trail, [here, clip(name, 40)]],
      body: (
        <p>
          Carts lose it within two seconds. {ordersText(uses)} redeemed it; orders keep their discount. To end
          it and keep it in the list, make it inactive instead.
        </p>
      ),
      submit: 'Delete promotion',
      keep: [here, 'Keep the promotion'],
    };
  },
  (request) => deleteAt(request, apiPath(request), PROMOTIONS_PATH),
);

const at = (path: string) => ({ path: `/developer${path}` as const, audience: 'developer' }) as const;

/** The pages that list, create, change and delete promotions and coupons. */
export const promotionPages: readonly Page[] = [
  getPage(at('/promotions'), listPage),
  getPage({ ...at('/exports/promotions'), needs: 'staff' }, exportPromotions),
  ...formPages({ ...at('/new-promotion'), needs: 'staff', form: PromotionForm }, newPage, create),
  getPage({ ...at('/promotions/:id/duplicate'), needs: 'staff' }, copyPage),
  ...formPages({ ...at('/promotions/:id'), form: PromotionForm }, onePage, change),
  ...deletePages,
];
