import type { Child } from 'hono/jsx';
import type { z } from 'zod';
import { ProductList } from '../../catalog/index.ts';
import { CustomerList } from '../../customers/index.ts';
import { formatMoney } from '../../kernel/values/money.ts';
import { OrderList } from '../../orders/index.ts';
import {
  allAnswers,
  clip,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  SEARCH_PATH,
  State,
  Table,
  type View,
} from '../../web/index.ts';
import { Orders } from '../developer/orders/list/order-list.tsx';
import { SearchForm } from '../search-form.tsx';

/** Entries of each kind; their own lists have the others. */
const SHOWN = 5;
const NAME_LENGTH = 50;
/** The most characters that are searched for: those that the search of products takes. */
const MAX_LENGTH = 100;
const LABEL = 'Orders, products and customers';

interface KindProps {
  readonly title: string;
  /** The list with all that was found. */
  readonly all: string;
  readonly total: number;
  readonly children?: Child;
}

/** What was found of one kind; nothing if that is none. */
const Kind = ({ title, all, total, children }: KindProps) =>
  total === 0 ? null : (
    <section>
      <h2>{title}</h2>
      {children}
      {total > SHOWN && (
        <p>
          <a href={all}>
            Show all {total} {title.toLowerCase()}
          </a>
        </p>
      )}
    </section>
  );

/** The page that searches products, orders and customers at once. */
async function searchPage(request: PageRequest): Promise<View | Outcome> {
  const q = request.query('q').trim().slice(0, MAX_LENGTH);
  const form = (
    <SearchForm action={SEARCH_PATH} filters={q ? { q } : {}} label={LABEL} maxlength={MAX_LENGTH} />
  );
  if (q === '')
    return {
      title: 'Search',
      body: (
        <>
          {form}
          <Hint />
        </>
      ),
    };
  const query = new URLSearchParams({ q });
  const limited = `${query}&limit=${SHOWN}`;
  const read = await allAnswers({
    orders: request.api({ path: `/v1/orders?${limited}`, answer: OrderList }),
    products: request.api({ path: `/v1/products?status=all&${limited}`, answer: ProductList }),
    customers: request.api({ path: `/v1/customers?${limited}`, answer: CustomerList }),
  });
  if (!read.ok) return read;
  const { orders, products, customers } = read.value;
  const found = Object.values(read.value).reduce((sum, { meta }) => sum + meta.total, 0);
  const body = (
    <>
      {form}
      <p role="status">
        {found === 0 ? 'Nothing was found for' : `${found} found for`} <q>{q}</q>.
      </p>
      {found === 0 && <Hint />}
      <FoundOrders of={orders} all={`/developer/orders?${query}`} />
      <FoundProducts of={products} all={`/developer/products?${query}`} />
      <FoundCustomers of={customers} all={`/developer/customers?${query}`} />
    </>
  );
  return { title: 'Search', body };
}

const Hint = () => (
  <p class="hint">
    Search for an order by number, name, e-mail or SKU; a product by name, SKU or slug; a customer by name or
    e-mail. The beginning of each word is enough.
  </p>
);

const FoundOrders = ({ of: { data, meta }, all }: { of: z.output<typeof OrderList>; all: string }) => (
  <Kind title="Orders" all={all} total={meta.total}>
    <Orders orders={data} empty={null} />
  </Kind>
);

const FoundProducts = ({ of: { data, meta }, all }: { of: z.output<typeof ProductList>; all: string }) => (
  <Kind title="Products" all={all} total={meta.total}>
    <Table
      label="Products"
      head={['Name', 'SKU', 'Price', 'Status']}
      figures={[2]}
      rows={data.map(({ id, name, sku, price, currency, status }) => [
        <a href={`/developer/products/${id}`}>{clip(name, NAME_LENGTH)}</a>,
        clip(sku, 24),
        formatMoney(price, currency),
        <State is={status} />,
      ])}
    />
  </Kind>
);

const FoundCustomers = ({ of: { data, meta }, all }: { of: z.output<typeof CustomerList>; all: string }) => (
  <Kind title="Customers" all={all} total={meta.total}>
    <Table
      label="Customers"
      head={['Name', 'E-mail']}
      rows={data.map(({ id, name, email }) => [
        <a href={`/developer/customers/${id}`}>{clip(name, NAME_LENGTH)}</a>,
        clip(email, NAME_LENGTH),
      ])}
    />
  </Kind>
);

/** The page that the search of the side bar opens. */
export const searchPages: readonly Page[] = [
  getPage({ path: SEARCH_PATH, audience: 'developer' }, searchPage),
];
