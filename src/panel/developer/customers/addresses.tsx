import { z } from 'zod';
import { CustomerAddressList } from '../../../customers/index.ts';
import { countryName } from '../../../kernel/values/countries.ts';
import { addressLines } from '../../../kernel/values/postal-address.ts';
import {
  ActionLink,
  type Answer,
  asFormError,
  checked,
  clip,
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  type Outcome,
  optionalText,
  type Page,
  type PageRequest,
  postOnce,
  Section,
  Tick,
  type View,
} from '../../../web/index.ts';
import { confirmPages, deleteAt, type Question } from '../../confirm.tsx';
import type { EditPart } from '../../editing/changes.ts';
import { EditedParts, saveEdit } from '../../editing/save-edit.tsx';
import { CountryField, CountryNames, pickedCountry } from '../../pickers/country-field.tsx';
import { OneLine } from '../orders/order-about.tsx';
import { root } from './customer-list.tsx';

type Address = z.output<typeof CustomerAddressList>['data'][number];

interface AddressesProps {
  readonly request: PageRequest;
  readonly here: string;
  readonly of: readonly Address[];
}

/** Longest part of an address in the list, in UTF-16 units. */
const MAX_LINE = 60;

/** The addresses that a customer has saved, each with a link to change it. */
export const Addresses = ({ request, here, of }: AddressesProps) => (
  <Section id="addresses" title="Addresses" card>
    {of.length === 0 ? (
      <p>None saved.</p>
    ) : (
      <ul>
        {of.map((address) => (
          <li>
            {address.label !== undefined && <strong>{address.label}: </strong>}
            <OneLine of={addressLines(address).map((line) => clip(line, MAX_LINE))} />{' '}
            {address.is_default && <small class="hint">(default) </small>}
            <ActionLink
              request={request}
              href={`${here}/addresses/${address.id}`}
              about={`Change ${clip(addressLines(address).join(', '), 60)}`}
            >
              Change
            </ActionLink>
          </li>
        ))}
      </ul>
    )}
    <p>
      <ActionLink request={request} href={`${here}/new-address`}>
        Add an address
      </ActionLink>
    </p>
  </Section>
);

/** The lines of text of an address: name, label, longest text. */
const TEXTS = [
  ['label', 'Label', 60],
  ['first_name', 'First name', 120],
  ['last_name', 'Last name', 120],
  ['company', 'Company', 120],
  ['line1', 'Street and number', 255],
  ['line2', 'Further line', 255],
  ['postal_code', 'Postal code', 20],
  ['city', 'City', 120],
  ['region', 'Region', 120],
  ['phone', 'Phone', 40],
] as const;

/** The parts of an address that the form edits. */
const ADDRESS_PARTS: readonly EditPart<Address>[] = [
  ...TEXTS.map(([key, label]) => ({ key, label, of: (address: Address) => address[key]?.trim() || null })),
  { key: 'country', label: 'Country', say: (code) => countryName(String(code)) },
  { key: 'is_default', label: 'Offered first at checkout' },
];

const AddressForm = z.object({
  label: optionalText,
  first_name: optionalText,
  last_name: optionalText,
  company: optionalText,
  line1: optionalText,
  line2: optionalText,
  postal_code: optionalText,
  city: optionalText,
  region: optionalText,
  phone: optionalText,
  country: pickedCountry,
  is_default: checked,
});

interface FormProps {
  readonly f: Filled;
  readonly action: string;
  /** The stored address; null for a new one. */
  readonly address: Address | null;
}

const AddressFields = ({ f, action, address }: FormProps) => (
  <>
    <Form request={f.request} action={action} submit={address ? 'Save' : 'Save address'}>
      {address && <EditedParts f={f} parts={ADDRESS_PARTS} stored={address} />}
      {TEXTS.map(([name, label, maxlength]) => (
        <Field
          f={f}
          name={name}
          label={label}
          value={address?.[name]}
          attributes={{ maxlength, autocomplete: 'off' }}
        />
      ))}
      <CountryField f={f} name="country" label="Country" value={address?.country} required />
      {/* The default changes by naming another one, so that a customer always has one. */}
      {!address?.is_default && <Tick f={f} name="is_default" label="Offer it first at checkout" on={false} />}
    </Form>
    <CountryNames />
  </>
);

/** Returns the API's path of the customer's addresses, and the path of the customer's page. */
const placeOf = (request: PageRequest) => {
  const id = encodeURIComponent(request.param('id'));
  return { api: `/v1/customers/${id}/addresses`, here: `${root}/${id}` };
};

const addressPath = (request: PageRequest): string =>
  `${placeOf(request).api}/${encodeURIComponent(request.param('address'))}`;

const trailTo = (here: string) => [[root, 'Customers'] as const, [here, 'Customer'] as const];

async function newPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const { api, here } = placeOf(request);
  const customer = await request.api({ path: api, answer: CustomerAddressList });
  if (!customer.ok) return customer;
  const body = <AddressFields f={{ request, formError }} action={`${here}/new-address`} address={null} />;
  return { title: 'New address', trail: trailTo(here), body };
}

async function create(request: PageRequest, typed: z.output<typeof AddressForm>): Promise<Outcome> {
  const { api, here } = placeOf(request);
  const { is_default, ...fields } = typed;
  const given = Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== null));
  const made = await postOnce(request, { path: api, body: { ...given, ...(is_default && { is_default }) } });
  return made.ok ? { to: here, note: 'created' } : made;
}

/** Returns the request's address, or 404. */
async function loadAddress(request: PageRequest): Promise<Answer<Address>> {
  const { api } = placeOf(request);
  const all = await request.api({ path: api, answer: CustomerAddressList });
  if (!all.ok) return all;
  const address = all.value.data.find(({ id }) => id === request.param('address'));
  return address ? { ok: true, value: address } : { ok: false, ...asFormError('Address not found.', 404) };
}

async function addressPage(request: PageRequest, formError: FormError | null): Promise<View | Outcome> {
  const found = await loadAddress(request);
  if (!found.ok) return found;
  const { here } = placeOf(request);
  const path = `${here}/addresses/${found.value.id}`;
  const body = (
    <>
      <AddressFields f={{ request, formError }} action={path} address={found.value} />
      <p>
        <a href={`${path}/delete`}>Delete this address</a>
      </p>
    </>
  );
  return { title: 'Address', trail: trailTo(here), body };
}

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
const change = (
  request: PageRequest,
  { is_default, ...fields }: z.output<typeof AddressForm>,
): Promise<Outcome> =>
  saveEdit(request, {
    path: addressPath(request),
    to: placeOf(request).here,
    load: () => loadAddress(request),
    parts: () => ADDRESS_PARTS,
    values: { ...fields, ...(is_default && { is_default }) },
  });

async function deletion(request: PageRequest): Promise<Question | Outcome> {
  const found = await loadAddress(request);
  if (!found.ok) return found;
  const { here } = placeOf(request);
  const path = `${here}/addresses/${found.value.id}`;
  return {
    title: 'Delete this address?',
    trail: [...trailTo(here), [path, 'Address']],
    body: (
      <p>
        <strong>{addressLines(found.value).join(', ')}</strong> is no longer offered at checkout. Orders keep
        their addresses.
      </p>
    ),
    submit: 'Delete address',
    keep: [path, 'Keep the address'],
  };
}

const at = (path: string) =>
  ({ path: `${root}/:id${path}` as const, audience: 'developer', needs: 'staff' }) as const;

/** The pages that add, change and delete a customer's addresses. */
export const addressPages: readonly Page[] = [
  ...formPages({ ...at('/new-address'), form: AddressForm }, newPage, create),
  ...formPages({ ...at('/addresses/:address'), form: AddressForm }, addressPage, change),
  ...confirmPages(at('/addresses/:address/delete'), deletion, (request) =>
    deleteAt(request, addressPath(request), placeOf(request).here),
  ),
];
