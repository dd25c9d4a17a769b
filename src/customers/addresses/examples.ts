import type { Example } from '../../kernel/openapi/example.ts';
import type {
  AddressCreate,
  AddressParams,
  AddressPatch,
  CustomerAddress,
  CustomerAddressList,
} from './schemas.ts';

/** The id of the example customer's address. */
export const EXAMPLE_ADDRESS = 'adr_7Kq2mVx9RfLw3TzYbN5cHs8D';

const home = (more: Partial<CustomerAddress> = {}): CustomerAddress => ({
  id: EXAMPLE_ADDRESS,
  label: 'Home',
  is_default: true,
  country: 'DE',
  first_name: 'Mila',
  last_name: 'Hoffmann',
  line1: 'Oranienstraße 25',
  city: 'Berlin',
  postal_code: '10999',
  phone: '+49 30 901821',
  created_at: '2026-11-23T12:01:44.052Z',
  updated_at: '2026-11-23T12:01:44.052Z',
  ...more,
});

/** The example customer's address, after its change. */
export const homeWithFloor = () => home({ line2: '3rd floor', updated_at: '2026-11-23T12:02:10.417Z' });

/** Examples of the endpoints for a customer's addresses. */
export const addressExamples = {
  create: (): Example<{ body: typeof AddressCreate; answer: typeof CustomerAddress }> => {
    const { id: _, created_at: __, updated_at: ___, is_default: ____, ...body } = home();
    // The country of an answer may be one that was withdrawn since; this one was not.
    return { body: { ...body, country: 'DE' }, answer: home() };
  },
  list: (): Example<{ answer: typeof CustomerAddressList }> => ({ answer: { data: [homeWithFloor()] } }),
  patch: (): Example<{
    params: typeof AddressParams;
    body: typeof AddressPatch;
    answer: typeof CustomerAddress;
  }> => ({
    params: { id: EXAMPLE_ADDRESS },
    body: { line2: '3rd floor' },
    answer: homeWithFloor(),
  }),
  remove: (): Example<{ params: typeof AddressParams }> => ({ params: { id: EXAMPLE_ADDRESS } }),
};
