import { z } from 'zod';
import type { Schemas } from '../../../client/src/index.ts';
import {
  clip,
  Field,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  type View,
} from '../../web/index.ts';
import { attempt, sentOnce } from '../frame/attempt.ts';
import { CountryChoice } from '../frame/country-choice.tsx';
import { shopOf } from '../frame/session.ts';
import { AddressLines, linesOf } from './address-lines.tsx';
import { ROOT, refused, signInFirst, Tabs } from './tabs.tsx';

type Address = Schemas['CustomerAddress'];

const HERE = `${ROOT}/addresses`;
/** The most addresses that the API stores for one customer. */
const MAX_ADDRESSES = 20;

/** The fields of an address beside its country: label, autofill token and largest length. */
const FIELDS = {
  label: ['Name of the address, such as Home', 'off', 60],
  first_name: ['First name', 'given-name', 120],
  last_name: ['Last name', 'family-name', 120],
  company: ['Company', 'organization', 120],
  line1: ['Street and number', 'address-line1', 255],
  line2: ['Apartment, floor', 'address-line2', 255],
  postal_code: ['Postal code', 'postal-code', 20],
  city: ['City', 'address-level2', 120],
  region: ['State or region', 'address-level1', 120],
  phone: ['Phone', 'tel', 40],
} as const;
const REQUIRED = ['first_name', 'last_name', 'line1', 'city'];

/** The fields in the order of the form, those of one row together. */
const ROWS = [
  ['label'],
  ['first_name', 'last_name'],
  ['company'],
  ['line1'],
  ['line2'],
  ['postal_code', 'city'],
  ['region', 'phone'],
] as const satisfies (keyof typeof FIELDS)[][];
const NAMES = ROWS.flat();

const Card = ({ request, address }: { request: PageRequest; address: Address }) => {
  const name = address.label ?? linesOf(address)[0] ?? 'Address';
  return (
    <li>
      <h2 dir="auto">
        {clip(name, 40)} {address.is_default && <span class="badge">Default</span>}
      </h2>
      <AddressLines of={address} />
      <div class="row">
        <a href={`${HERE}/${address.id}`}>
          Edit<span class="hidden"> {name}</span>
        </a>
        <a href={`${HERE}/${address.id}/delete`}>
          Delete<span class="hidden"> {name}</span>
        </a>
        {!address.is_default && (
          <Form
            request={request}
            action={`${HERE}/${address.id}/default`}
            submit="Make default"
            about={name}
            quiet
          />
        )}
      </div>
    </li>
  );
};

/** Reads the customer's addresses; the outcome is that of a browser without a session. */
async function readAddresses(
  request: PageRequest,
): Promise<{ readonly data: readonly Address[] } | { readonly outcome: Outcome }> {
  const away = signInFirst(request);
  if (away) return { outcome: away };
  const list = await attempt(shopOf(request).customers.listAddresses());
  return list.ok ? list.value : { outcome: refused(request, list.formError) };
}

const listPage = async (request: PageRequest): Promise<View | Outcome> => {
  const read = await readAddresses(request);
  if ('outcome' in read) return read.outcome;
  const body = (
    <>
      <Tabs request={request} />
      {read.data.length > 0 ? (
        <ul class="cells">
          {read.data.map((address) => (
            <Card request={request} address={address} />
          ))}
        </ul>
      ) : (
        <p class="empty">No addresses yet. A saved address is offered at checkout.</p>
      )}
      {read.data.length < MAX_ADDRESSES && (
        <p>
          <a class="button" href={`${HERE}/new`}>
            Add an address
          </a>
        </p>
      )}
    </>
  );
  return { title: 'Your addresses', body };
};

interface EditorProps {
  readonly request: PageRequest;
  readonly formError: FormError | null;
  readonly address: Address | null;
}

const Editor = ({ request, formError, address }: EditorProps) => (
  <Form request={request} action={request.c.req.path} submit="Save address">
    {ROWS.map((row) => (
      <div class="pair">
        {row.map((name) => {
          const [label, autocomplete, maxlength] = FIELDS[name];
          const required = REQUIRED.includes(name);
          return (
            <Field
              f={{ request, formError }}
              name={name}
              label={required ? label : `${label} (optional)`}
              value={address?.[name] ?? ''}
              required={required}
              attributes={{ autocomplete, maxlength, dir: 'auto' }}
            />
          );
        })}
      </div>
    ))}
    <CountryChoice f={{ request, formError }} value={address?.country} />
  </Form>
);

const TRAIL = [
  [ROOT, 'Your account'],
  [HERE, 'Addresses'],
] as const;

/** The error of a form that was sent without a session. Its page keeps what was typed, which a sign-in would lose. */
const SESSION_ENDED: FormError = {
  message: 'Your session has ended. Sign in in another tab, then save the address here.',
  errors: {},
  status: 401,
};

/** Renders the form of an address that isn't stored yet, or whose stored one can't be read now. */
const typedPage = (title: string, { request, formError }: Omit<EditorProps, 'address'>): View => ({
  title,
  trail: TRAIL,
  body: <Editor request={request} formError={formError} address={null} />,
});

const newPage = async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> =>
  (formError ? null : signInFirst(request)) ?? typedPage('Add an address', { request, formError });

const UNKNOWN: FormError = { message: 'This address was deleted.', errors: {}, status: 404 };

/** Renders a page about one of the addresses. */
const pageAbout =
  (title: string, render: (props: EditorProps & { readonly address: Address }) => View['body']) =>
  async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> => {
    const read = await readAddresses(request);
    if ('outcome' in read) return read.outcome;
    const address = read.data.find(({ id }) => id === request.param('id'));
    if (!address) return { formError: UNKNOWN };
    return { title, trail: TRAIL, body: render({ request, formError, address }) };
  };

const EDIT_TITLE = 'Edit the address';
const storedPage = pageAbout(EDIT_TITLE, (props) => <Editor {...props} />);
const editPage = async (request: PageRequest, formError: FormError | null): Promise<View | Outcome> =>
  formError === SESSION_ENDED
    ? typedPage(EDIT_TITLE, { request, formError })
    : storedPage(request, formError);

const deletePage = pageAbout('Delete this address?', ({ request, address }) => (
  <>
    <AddressLines of={address} />
    <p>It is no longer offered at checkout. Your orders keep theirs.</p>
    <Form request={request} action={`${HERE}/${address.id}/delete`} submit="Delete address" danger />
    <p>
      <a href={HERE}>Keep it</a>
    </p>
  </>
));

const Entry = z.object({
  ...Object.fromEntries(NAMES.map((name) => [name, z.string().trim().default('')])),
  country: z.string(),
});

/** Returns the fields that are filled in; `empty` takes the place of the others. */
const bodyOf = <Empty,>(input: z.output<typeof Entry>, empty: Empty) =>
  Object.fromEntries(Object.entries(input).map(([name, value]) => [name, value === '' ? empty : value]));

/** Ends the form of an address. */
async function endForm(call: Promise<unknown>): Promise<Outcome> {
  const done = await attempt(call);
  if (done.ok) return { to: HERE, note: 'saved' };
  return { formError: done.formError.code === 'invalid_customer_token' ? SESSION_ENDED : done.formError };
}

// The API refuses a country that isn't one.
const countryOf = ({ country }: z.output<typeof Entry>) => country as Schemas['Country'];

const add = (request: PageRequest, input: z.output<typeof Entry>) =>
  endForm(
    shopOf(request).customers.createAddress(
      { ...bodyOf(input, undefined), country: countryOf(input) },
      sentOnce(request),
    ),
  );

const edit = (request: PageRequest, input: z.output<typeof Entry>) => {
  const change = { id: request.param('id'), ...bodyOf(input, null) };
  return endForm(shopOf(request).customers.updateAddress(change));
};

async function makeDefault(request: PageRequest): Promise<Outcome> {
  const change = { id: request.param('id'), is_default: true };
  const done = await attempt(shopOf(request).customers.updateAddress(change));
  return done.ok ? { to: HERE, note: 'saved' } : refused(request, done.formError);
}

async function remove(request: PageRequest): Promise<Outcome> {
  const removed = await attempt(shopOf(request).customers.deleteAddress({ id: request.param('id') }));
  return removed.ok || removed.formError.code === 'address_not_found'
    ? { to: HERE, note: 'removed' }
    : refused(request, removed.formError);
}

const at = (path: string) => ({ path: `${HERE}${path}`, audience: 'anyone' }) as const;
const nothing = z.object({});

/** The saved addresses of the signed-in customer. */
export const addressPages: readonly Page[] = [
  getPage(at(''), listPage),
  getPage(at('/new'), newPage),
  form({ ...at('/new'), form: Entry }, newPage, add),
  getPage(at('/:id'), editPage),
  form({ ...at('/:id'), form: Entry }, editPage, edit),
  form({ ...at('/:id/default'), form: nothing }, listPage, makeDefault),
  getPage(at('/:id/delete'), deletePage),
  form({ ...at('/:id/delete'), form: nothing }, deletePage, remove),
];
