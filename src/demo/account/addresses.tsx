import { z } from 'zod';
import {
  clip,
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
import { shopOf } from '../frame/session.ts';
import { type Address, bodyOf, countryOf, Editor, type EditorProps, Entry } from './address-form.tsx';
import { AddressLines, linesOf } from './address-lines.tsx';
import { ROOT, refused, signInFirst, Tabs } from './tabs.tsx';

const HERE = `${ROOT}/addresses`;
/** The most addresses that the API stores for one customer. */
const MAX_ADDRESSES = 20;

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

async function endForm(call: Promise<unknown>): Promise<Outcome> {
  const done = await attempt(call);
  if (done.ok) return { to: HERE, note: 'saved' };
  return { formError: done.formError.code === 'invalid_customer_token' ? SESSION_ENDED : done.formError };
}

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
