import { EXAMPLE_CART, exampleCart } from '../cart/index.ts';
import type { Example } from '../kernel/openapi/example.ts';
import { EXAMPLE_ORDER, type OrderParams } from '../orders/index.ts';
import { addressExamples, EXAMPLE_ADDRESS, homeWithFloor } from './addresses/examples.ts';
import type {
  AddressCreate,
  AddressPatch,
  CustomerAddress,
  CustomerAddressList,
} from './addresses/schemas.ts';
import type {
  AddressOfCustomerParams,
  CartOfCustomer,
  CartOfCustomerList,
  CartOfCustomerParams,
  CustomerExport,
  CustomerList,
  CustomerListQuery,
} from './records/schemas.ts';
import type {
  Customer,
  CustomerCreated,
  CustomerEmailChanged,
  CustomerParams,
  CustomerPatch,
  CustomerRecord,
  CustomerRecordPatch,
  LoggedOut,
  Login,
  NewPassword,
  OwnCart,
  PasswordReset,
  Register,
  ResetParams,
  ResetRequest,
  Session,
} from './schemas.ts';

const email = 'mila.hoffmann@example.com';
const password = 'correct horse battery';
const reset = 'pr_BFkvypeRQpXU0z8emJbvQhzY9dUd4xJ21LVmoOHFNS2Sh';

const mila = (phone = '+49 30 901820'): Customer => ({
  id: 1,
  name: 'Mila Hoffmann',
  email,
  phone,
  created_at: '2026-11-23T11:42:19.605Z',
});
const changed = () => mila('+49 30 901821');

const record = (): CustomerRecord => ({
  ...changed(),
  metadata: { crm_id: 'C-20481' },
  updated_at: '2026-11-23T12:01:44.052Z',
});

/** The example shop's event of a registration. */
export const milaRegistered = (): CustomerCreated => ({ ...mila(), phone: '+49 30 901820' });

/** The example shop's event of a changed e-mail address. */
export const milaMoved = (): CustomerEmailChanged => ({
  customer_id: 1,
  name: 'Mila Hoffmann',
  old_email: email,
  new_email: 'mila@example.org',
});

const openCart = (): CartOfCustomer => {
  const { items, total_quantity, totals, currency, coupons, applied_promotions } = exampleCart();
  return {
    id: '4Jq8sVx2nLwT6yRbPc9dKe',
    items,
    total_quantity,
    totals,
    currency,
    coupons,
    applied_promotions,
    updated_at: '2026-11-23T12:02:10.417Z',
  };
};

/** Examples of the endpoints for customers. */
export const customerExamples = {
  register: (): Example<{ body: typeof Register; answer: typeof Session }> => ({
    body: {
      name: 'Mila Hoffmann',
      email,
      password,
      phone: '+49 30 901820',
      cart_token: EXAMPLE_CART,
    },
    answer: {
      token: 'cs_rEsdZZjUT9vyZ3lCRCw3qfaCwRVAhz2G1TJhYxhD5LPkY',
      customer: mila(),
      cart_token: EXAMPLE_CART,
    },
  }),
  login: (): Example<{ body: typeof Login; answer: typeof Session }> => ({
    body: { email, password },
    answer: {
      token: 'cs_73UOtE5ShTEk3uQZWWZCdg8nq93r3b3i13bJljPXYo7kt',
      customer: mila(),
      cart_token: EXAMPLE_CART,
    },
  }),
  logout: (): Example<{ answer: typeof LoggedOut }> => ({ answer: { logged_out: true } }),
  me: (): Example<{ answer: typeof Customer }> => ({ answer: mila() }),
  patch: (): Example<{ body: typeof CustomerPatch; answer: typeof Customer }> => ({
    body: { phone: '+49 30 901821' },
    answer: changed(),
  }),
  putCart: (): Example<{ body: typeof OwnCart; answer: typeof OwnCart }> => ({
    body: { cart_token: EXAMPLE_CART },
    answer: { cart_token: EXAMPLE_CART },
  }),
  requestReset: (): Example<{ body: typeof ResetRequest; answer: typeof PasswordReset }> => ({
    body: { email },
    answer: { token: reset, expires_at: '2026-11-23T14:30:08.752Z', customer: changed() },
  }),
  get: (): Example<{ params: typeof CustomerParams; answer: typeof CustomerRecord }> => ({
    params: { id: 1 },
    answer: record(),
  }),
  addresses: (): Example<{ params: typeof CustomerParams; answer: typeof CustomerAddressList }> => ({
    params: { id: 1 },
    answer: { data: [homeWithFloor()] },
  }),
  addAddress: (): Example<{
    params: typeof CustomerParams;
    body: typeof AddressCreate;
    answer: typeof CustomerAddress;
  }> => ({ ...addressExamples.create(), params: { id: 1 } }),
  changeAddress: (): Example<{
    params: typeof AddressOfCustomerParams;
    body: typeof AddressPatch;
    answer: typeof CustomerAddress;
  }> => {
    const { body, answer } = addressExamples.patch();
    return { params: { id: 1, address_id: EXAMPLE_ADDRESS }, body, answer };
  },
  removeAddress: (): Example<{ params: typeof AddressOfCustomerParams }> => ({
    params: { id: 1, address_id: EXAMPLE_ADDRESS },
  }),
  carts: (): Example<{ params: typeof CustomerParams; answer: typeof CartOfCustomerList }> => ({
    params: { id: 1 },
    answer: { data: [openCart()] },
  }),
  cart: (): Example<{ params: typeof CartOfCustomerParams; answer: typeof CartOfCustomer }> => ({
    params: { id: 1, cart_id: openCart().id },
    answer: openCart(),
  }),
  list: (): Example<{ query: typeof CustomerListQuery; answer: typeof CustomerList }> => ({
    query: { q: 'mila hoff' },
    answer: {
      data: [record()],
      meta: {
        page: 1,
        limit: 20,
        total: 1,
        total_pages: 1,
        next_cursor: null,
        next_updated_since: null,
      },
    },
  }),
  export: (): Example<{ params: typeof CustomerParams; answer: typeof CustomerExport }> => ({
    params: { id: 1 },
    answer: {
      exported_at: '2026-11-23T13:20:31.118Z',
      customer: record(),
      addresses: [homeWithFloor()],
      sessions: [
        { created_at: '2026-11-23T11:42:19.605Z', expires_at: '2026-12-23T11:42:19.605Z' },
        { created_at: '2026-11-23T11:58:02.240Z', expires_at: '2026-12-23T12:01:44.052Z' },
      ],
      password_resets: [],
      carts: [{ ...exampleCart(), updated_at: '2026-11-23T12:02:10.417Z' }],
      checkouts: [],
      orders: [],
      timeline: [],
      redemptions: [],
      events: [
        {
          id: 'evt_82b6e90c4fd1a357e6c0b94d',
          type: 'customer.created',
          occurred_at: '2026-11-23T11:42:19.605Z',
          data: milaRegistered(),
        },
      ],
      incomplete: [],
    },
  }),
  erase: (): Example<{ params: typeof CustomerParams }> => ({ params: { id: 2 } }),
  eraseBuyer: (): Example<{ params: typeof OrderParams }> => ({ params: { id: EXAMPLE_ORDER } }),
  patchById: (): Example<{
    params: typeof CustomerParams;
    body: typeof CustomerRecordPatch;
    answer: typeof CustomerRecord;
  }> => ({
    params: { id: 1 },
    body: { metadata: { crm_id: 'C-20481' } },
    answer: record(),
  }),
  reset: (): Example<{ params: typeof ResetParams; body: typeof NewPassword; answer: typeof Session }> => ({
    params: { token: reset },
    body: { password: 'espresso at nine' },
    answer: {
      token: 'cs_w77nm8vDH5beAFKIy5twEpdjS2my2sP41sEAVcnRs3LPZ',
      customer: changed(),
      cart_token: null,
    },
  }),
};
