import { z } from 'zod';
import { fold } from '../../../../kernel/text/fold.ts';
import {
  ActionLink,
  asTrouble,
  clip,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
} from '../../../../web/index.ts';
import { confirmPages } from '../../../confirm.tsx';
import { SETTINGS_PATH, SHIPPING_PATH } from '../tabs.tsx';
import { changeShipping, type Method } from './change-shipping.ts';
import { MethodFields } from './method-form.tsx';
import { MethodForm, type MethodInput } from './method-schema.ts';
import { shippingPage } from './shipping.tsx';

const NEW_METHOD_PATH = `${SHIPPING_PATH}/new-method` as const;
const trail = [
  [SETTINGS_PATH, 'Settings'],
  [SHIPPING_PATH, 'Shipping'],
] as const;
const UNKNOWN = asTrouble('Shipping method not found.', 404);

/** Returns the request's method, with the currencies of its amounts; null for an unknown one. */
async function methodOf(request: PageRequest): Promise<{ known: Method; currencies: string[] } | null> {
  const { tenant } = await request.developer();
  const known = tenant.settings.shipping.methods?.find(({ id }) => id === request.param('id'));
  return known ? { known, currencies: tenant.currencies } : null;
}

const newPage = async (request: PageRequest, trouble: FormError | null) => ({
  title: 'New shipping method',
  trail,
  body: (
    <Form request={request} action={NEW_METHOD_PATH} submit="Add shipping method" bare>
      <MethodFields f={{ request, trouble }} known={null} currencies={request.tenant.currencies} />
    </Form>
  ),
});

const onePage = async (request: PageRequest, trouble: FormError | null) => {
  const found = await methodOf(request);
  if (!found) return UNKNOWN;
  const here = `${SHIPPING_PATH}/methods/${found.known.id}`;
  return {
    title: clip(found.known.name, 100),
    trail,
    body: (
      <>
        <Form request={request} action={here} submit="Save" bare>
          <MethodFields f={{ request, trouble }} {...found} />
        </Form>
        <p class="actions">
          <ActionLink request={request} href={`${here}/delete`} class="button danger quiet">
            Delete shipping method
          </ActionLink>
        </p>
      </>
    ),
  };
};

/** Returns an identifier made from a name: "Express (before noon)" → `express-before-noon`. */
const idFrom = (name: string): string =>
  fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 64)
    .replace(/-+$/, '') || 'method';

/** Converts a form to a method of the API; empty fields are left out. */
function bodyOf(input: MethodInput, id: string): object {
  const { name, description, active, min_days, max_days, free_over, countries, basis, price, tiers } = input;
  const optional = Object.entries({ description, min_days, max_days, free_over });
  return {
    ...{ id, name, active },
    ...Object.fromEntries(optional.filter(([, value]) => value !== null)),
    ...(countries.length > 0 && { countries }),
    ...(basis === 'price' ? { price } : { tiers }),
  };
}

/** Returns the API's refusal with the paths of one method's fields as those of its form. */
function withMethodErrors({ trouble }: { readonly trouble: FormError }, basis: string): Outcome {
  const list = basis === 'value' ? 'by_value' : 'by_weight';
  const errors = Object.entries(trouble.errors).map(([path, messages]) => {
    const own = path.replace(/^shipping\.methods\.\d+\./, '');
    const field = own.replace(/^tiers(?=\.|$)/, list).replace(/from_(subtotal|weight)/, 'from');
    return [field, messages] as const;
  });
  return { trouble: { ...trouble, errors: Object.fromEntries(errors) } };
}

async function create(request: PageRequest, input: MethodInput): Promise<Outcome> {
  const id = input.id || idFrom(input.name);
  const changed = await changeShipping(request, (stored) => ({
    ...stored,
    methods: [...(stored.methods ?? []), bodyOf(input, id)],
  }));
  return changed.ok ? { to: SHIPPING_PATH, note: 'created' } : withMethodErrors(changed, input.basis);
}

async function change(request: PageRequest, input: MethodInput): Promise<Outcome> {
  if (!(await methodOf(request))) return UNKNOWN;
  const id = request.param('id');
  const changed = await changeShipping(request, (stored) => ({
    ...stored,
    methods: stored.methods?.map((method) => (method.id === id ? bodyOf(input, id) : method)),
  }));
  return changed.ok ? { to: SHIPPING_PATH, note: 'saved' } : withMethodErrors(changed, input.basis);
}

async function moveUp(request: PageRequest): Promise<Outcome> {
  if (!(await methodOf(request))) return UNKNOWN;
  const changed = await changeShipping(request, (stored) => {
    const methods = [...(stored.methods ?? [])];
    const n = methods.findIndex(({ id }) => id === request.param('id'));
    const [moved] = n > 0 ? methods.splice(n, 1) : [];
    return { ...stored, methods: moved ? methods.toSpliced(n - 1, 0, moved) : methods };
  });
  return changed.ok ? { to: SHIPPING_PATH, note: 'saved' } : changed;
}

const at = (path: string) => ({ path: `${SHIPPING_PATH}${path}` as const, audience: 'developer' }) as const;

const deletePages = confirmPages(
  at('/methods/:id/delete'),
  async (request) => {
    const found = await methodOf(request);
    if (!found) return UNKNOWN;
    const { id, name } = found.known;
    return {
      title: `Delete the shipping method ${clip(name, 60)}?`,
      trail,
      body: (
        <p>
          Shoppers can no longer choose it, and carts that had it get the cheapest other one. Orders keep it.
          To use it again later, stop offering it instead.
        </p>
      ),
      submit: 'Delete shipping method',
      keep: [`${SHIPPING_PATH}/methods/${id}`, 'Keep the method'],
    };
  },
  async (request) => {
    if (!(await methodOf(request))) return UNKNOWN;
    const changed = await changeShipping(request, (stored) => ({
      ...stored,
      methods: stored.methods?.filter(({ id }) => id !== request.param('id')),
    }));
    return changed.ok ? { to: SHIPPING_PATH, note: 'removed' } : changed;
  },
);

/** The pages that add, change, order and delete shipping methods. */
export const methodPages: readonly Page[] = [
  getPage({ ...at('/new-method'), needs: 'staff' }, newPage),
  form({ ...at('/new-method'), form: MethodForm }, newPage, create),
  getPage(at('/methods/:id'), onePage),
  form({ ...at('/methods/:id'), form: MethodForm }, onePage, change),
  form({ ...at('/methods/:id/up'), form: z.object({}) }, shippingPage, moveUp),
  ...deletePages,
];
