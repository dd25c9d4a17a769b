import type { z } from 'zod';
import { CartOfCustomer, type CartOfCustomerList } from '../../../customers/index.ts';
import { formatMoney } from '../../../kernel/values/money.ts';
import { bookedTime } from '../../../kernel/values/time-zone.ts';
import {
  clip,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  Table,
  Totals,
  type View,
  When,
} from '../../../web/index.ts';
import { LineName } from '../orders/order-lines.tsx';
import { root } from './customer-list.tsx';

interface CartsProps {
  readonly here: string;
  readonly carts: z.output<typeof CartOfCustomerList>['data'];
}

/** The open carts of a customer, each with a link to what is in it; nothing without one. */
export const OpenCarts = ({ here, carts }: CartsProps) =>
  carts.length === 0 ? null : (
    <>
      <h2>Open carts</h2>
      <Table
        label="Open carts"
        head={['Last changed', 'Items', 'Total']}
        figures={[1, 2]}
        rows={carts.map(({ id, updated_at, total_quantity, totals, currency }) => [
          <a href={`${here}/carts/${id}`}>
            <When at={updated_at} />
          </a>,
          total_quantity,
          formatMoney(totals.grand_total, currency),
        ])}
        empty={null}
      />
    </>
  );

async function cartPage(request: PageRequest): Promise<View | Outcome> {
  const id = encodeURIComponent(request.param('id'));
  const path = `/v1/customers/${id}/carts/${encodeURIComponent(request.param('cart'))}`;
  const answer = await request.api({ path, answer: CartOfCustomer });
  if (!answer.ok) return answer;
  const { items, currency, updated_at } = answer.value;
  const body = (
    <>
      <p class="lead">
        Last changed <When at={updated_at} />. Its owner sees these prices and may still change it.
      </p>
      <Table
        label="Items"
        head={['Product', 'SKU', 'Quantity', 'Price', 'Total']}
        figures={[2, 3, 4]}
        rows={items.map((item) => [
          <LineName
            item={item}
            picture={item.image}
            chosen={bookedTime(item.selected) ?? item.selected.map(({ value }) => value).join(', ')}
          />,
          clip(item.sku, 40),
          item.quantity,
          formatMoney(item.unit_price, currency),
          formatMoney(item.total, currency),
        ])}
        empty={null}
      />
      <Totals {...answer.value} />
    </>
  );
  return {
    title: 'Open cart',
    trail: [
      [root, 'Customers'],
      [`${root}/${id}`, 'Customer'],
    ],
    body,
  };
}

/** The page of a customer's open cart. */
export const cartPages: readonly Page[] = [
  getPage({ path: `${root}/:id/carts/:cart`, audience: 'developer' }, cartPage),
];
