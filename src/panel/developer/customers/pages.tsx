import { z } from 'zod';
import { CartOfCustomerList, CustomerAddressList, CustomerRecord } from '../../../customers/index.ts';
import { OrderList } from '../../../orders/index.ts';
import {
  ActionLink,
  asFormError,
  clip,
  Facts,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  getPage,
  MailTo,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  Section,
  type View,
  When,
} from '../../../web/index.ts';
import { confirmPages, deleteAt, type Question } from '../../confirm.tsx';
import type { EditPart } from '../../editing/changes.ts';
import { EditedParts, saveEdit } from '../../editing/save-edit.tsx';
import { listPath } from '../orders/list/order-filters.tsx';
import { Orders } from '../orders/list/order-list.tsx';
import { Addresses, addressPages } from './addresses.tsx';
import { cartPages, OpenCarts } from './carts.tsx';
import { customersPage, EXPORT_PATH, exportCustomers, root } from './customer-list.tsx';
import { newCustomerPages } from './new-customer.tsx';

/** Orders shown on a customer's page. */
const ORDERS_SHOWN = 5;

type Customer = z.output<typeof CustomerRecord>;

const CUSTOMER_PARTS: readonly EditPart<Customer>[] = [
  { key: 'name', label: 'Name' },
  { key: 'phone', label: 'Phone', of: ({ phone }) => phone?.trim() || null },
];

const apiPath = (request: PageRequest): string => `/v1/customers/${encodeURIComponent(request.param('id'))}`;

/** A customer with their orders, open carts and addresses. */
async function customerPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const id = encodeURIComponent(request.param('id'));
  const [answer, addresses, orders, carts] = await Promise.all([
    request.api({ path: apiPath(request), answer: CustomerRecord }),
    request.api({ path: `${apiPath(request)}/addresses`, answer: CustomerAddressList }),
    request.api({ path: `/v1/orders?customer_id=${id}&limit=${ORDERS_SHOWN}`, answer: OrderList }),
    request.api({ path: `${apiPath(request)}/carts`, answer: CartOfCustomerList }),
  ]);
  if (!answer.ok) return answer;
  const customer = answer.value;
  const here = `${root}/${customer.id}`;
  const body = (
    <>
      <Facts
        of={{
          'E-mail': <MailTo email={customer.email} />,
          Phone: customer.phone ?? '–',
          Registered: <When at={customer.created_at} />,
        }}
      />
      {orders.ok && <CustomerOrders customer={customer} list={orders.value} />}
      {carts.ok && <OpenCarts here={here} carts={carts.value.data} />}
      <div class="beside">
        {addresses.ok && <Addresses request={request} here={here} of={addresses.value.data} />}
        <Change f={{ request, formError }} here={here} customer={customer} />
      </div>
      <Rights request={request} here={here} />
    </>
  );
  return { title: clip(customer.name, 120), trail: [[root, 'Customers']], body };
}

interface OrdersProps {
  readonly customer: Customer;
  readonly list: z.output<typeof OrderList>;
}

const CustomerOrders = ({ customer, list: { data, meta } }: OrdersProps) => (
  <>
    <h2>Orders</h2>
    <Orders orders={data} empty={<p>No orders yet.</p>} />
    {meta.total > data.length && (
      <p>
        <a href={listPath({ customer_id: String(customer.id) })}>Show all {meta.total} orders</a>
      </p>
    )}
  </>
);

interface ChangeProps {
  readonly f: Filled;
  readonly here: string;
  readonly customer: Customer;
}

const Change = ({ f, here, customer }: ChangeProps) => (
  <Section id="change" title="Change" card>
    <Form request={f.request} action={here} submit="Save" unsaved bare>
      <EditedParts f={f} parts={CUSTOMER_PARTS} stored={customer} />
      <Field f={f} name="name" label="Name" value={customer.name} required maxlength={120} />
      <Field
        f={f}
        name="phone"
        label="Phone"
        type="tel"
        value={customer.phone}
        hint="Customers change their e-mail themselves, because they sign in with it"
        maxlength={40}
      />
    </Form>
  </Section>
);

/** What the law gives customers: a copy of their data, and its erasure (GDPR, articles 15, 17 and 20). */
const Rights = ({ request, here }: { readonly request: PageRequest; readonly here: string }) =>
  request.may('get', `${here}/export`) ? (
    <Section id="rights" title="Data of this customer">
      <p class="actions">
        <a class="button secondary" href={`${here}/export`} download>
          Export all data
        </a>
        <ActionLink request={request} href={`${here}/erase`} class="button quiet danger">
          Erase this customer
        </ActionLink>
      </p>
    </Section>
  ) : null;

const CustomerForm = z.object({ name: z.string(), phone: optionalText });

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
const change = (request: PageRequest, values: z.output<typeof CustomerForm>): Promise<Outcome> =>
  saveEdit(request, {
    path: apiPath(request),
    load: () => request.api({ path: apiPath(request), answer: CustomerRecord }),
    parts: () => CUSTOMER_PARTS,
    values,
  });

/** Sends the customer's data as a JSON file. */
async function exportCustomer(request: PageRequest): Promise<Outcome> {
  const file = await request.download(`${apiPath(request)}/export`, 'application/json');
  if (!file.ok) return file;
  const headers = {
    'Content-Type': 'application/json',
    'Content-Disposition': `attachment; filename="customer-${Number(request.param('id'))}.json"`,
  };
  return { file: new Response(file.value.body, { headers }) };
}

async function erasure(request: PageRequest, formError: FormError | null): Promise<Question | Outcome> {
  const answer = await request.api({ path: apiPath(request), answer: CustomerRecord });
  if (!answer.ok) return answer;
  const { id, name, email } = answer.value;
  return {
    title: `Erase ${clip(name, 60)}?`,
    trail: [[root, 'Customers'] as const, [`${root}/${id}`, clip(name, 60)] as const],
    body: (
      <>
        <p>
          The account, addresses, sessions and carts of <strong>{email}</strong> are deleted, and the name,
          contact data, notes and tags are removed from orders and events. The orders stay, with their items
          and amounts. This can't be undone.
        </p>
        <p>
          Export the data first if you have to hand them over: <a href={`${root}/${id}/export`}>export</a>.
        </p>
      </>
    ),
    fields: (
      <Field
        f={{ request, formError }}
        name="email"
        label="Type the customer's e-mail to confirm"
        required
        attributes={{ autocomplete: 'off', autocapitalize: 'none' }}
      />
    ),
    submit: 'Erase customer',
    keep: [`${root}/${id}`, 'Keep the customer'],
  };
}

const Erasure = z.object({ email: z.string() });

async function erase(request: PageRequest, typed: z.output<typeof Erasure>): Promise<Outcome> {
  const answer = await request.api({ path: apiPath(request), answer: CustomerRecord });
  // A customer that is erased already has no e-mail to compare with: deleteAt says what became of it.
  if (!answer.ok) return answer.formError.status === 404 ? deleteAt(request, apiPath(request), root) : answer;
  if (typed.email.trim().toLowerCase() !== answer.value.email) {
    return asFormError("This is not the customer's e-mail. Nothing was erased.", 422, 'email');
  }
  return deleteAt(request, apiPath(request), root);
}

const at = (path: string) => ({ path: `${root}${path}` as const, audience: 'developer' }) as const;

/** The pages that list, show, change, export and erase customers. */
export const customerPages: readonly Page[] = [
  getPage(at(''), customersPage),
  // Whoever may not change anything must not carry all personal data away either.
  getPage({ path: EXPORT_PATH, audience: 'developer', needs: 'staff' }, exportCustomers),
  ...newCustomerPages,
  ...formPages({ ...at('/:id'), form: CustomerForm }, customerPage, change),
  ...addressPages,
  ...cartPages,
  getPage({ ...at('/:id/export'), needs: 'staff' }, exportCustomer),
  ...confirmPages({ ...at('/:id/erase'), form: Erasure }, erasure, erase),
];
