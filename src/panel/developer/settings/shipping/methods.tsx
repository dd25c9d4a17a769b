import { z } from 'zod';
import { canonicalJson } from '../../../../kernel/text/canonical-json.ts';
import { fold } from '../../../../kernel/text/fold.ts';
import { Settings } from '../../../../tenants/index.ts';
import {
  ActionLink,
  type Answer,
  asFormError,
  clip,
  Form,
  type FormError,
  form,
  formPages,
  type Outcome,
  type Page,
  type PageRequest,
  renameErrors,
} from '../../../../web/index.ts';
import { confirmPages, isGone } from '../../../confirm.tsx';
import { type EditPart, storedPart, storedValues } from '../../../editing/changes.ts';
import { EditedParts, isAsShown, saveEdit } from '../../../editing/save-edit.tsx';
import { SHIPPING_PATH, shippingTrail } from '../tabs.tsx';
import { changeShipping, type Method, type Shipping } from './change-shipping.ts';
import { MethodFields } from './method-form.tsx';
import { changedMethod, METHOD_PARTS, methodOf, methodValues } from './method-parts.ts';
import { MethodForm, type MethodInput } from './method-schema.ts';
import { shippingPage } from './shipping.tsx';

const NEW_METHOD_PATH = `${SHIPPING_PATH}/new-method` as const;
const UNKNOWN = asFormError('Shipping method not found.', 404);

/** Returns the request's method, with the currencies of its amounts; null for an unknown one. */
async function knownMethod(request: PageRequest): Promise<{ known: Method; currencies: string[] } | null> {
  const { tenant } = await request.developer();
  const known = tenant.settings.shipping.methods?.find(({ id }) => id === request.param('id'));
  return known ? { known, currencies: tenant.currencies } : null;
}

/** The methods that there were when the form of a new one was shown. */
const SHOWN_METHODS: EditPart<Shipping> = {
  key: 'methods',
  label: 'Shipping methods',
  of: ({ methods = [] }) => methods.map(({ id }) => id),
};

const newPage = async (request: PageRequest, formError: FormError | null) => {
  const { tenant } = await request.developer();
  const f = { request, formError };
  return {
    title: 'New shipping method',
    trail: shippingTrail,
    body: (
      <Form request={request} action={NEW_METHOD_PATH} submit="Add shipping method" unsaved bare>
        <EditedParts f={f} parts={[SHOWN_METHODS]} stored={tenant.settings.shipping} />
        <MethodFields f={f} known={null} currencies={request.tenant.currencies} />
      </Form>
    ),
  };
};

const onePage = async (request: PageRequest, formError: FormError | null) => {
  const found = await knownMethod(request);
  if (!found) return UNKNOWN;
  const here = `${SHIPPING_PATH}/methods/${found.known.id}`;
  const f = { request, formError };
  return {
    title: clip(found.known.name, 100),
    trail: shippingTrail,
    body: (
      <>
        <Form request={request} action={here} submit="Save" unsaved bare>
          <EditedParts f={f} parts={METHOD_PARTS} stored={found.known} />
          <MethodFields f={f} {...found} />
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

/** Returns an identifier made from a name that no method has: names in one script may leave the same one. */
function freeId(name: string, methods: readonly Method[]): string {
  const id = idFrom(name);
  const isFree = (wanted: string) => methods.every((method) => method.id !== wanted);
  const numbered = methods.map((_, n) => `${id.slice(0, 60)}-${n + 2}`);
  return [id, ...numbered].find(isFree) ?? id;
}

/** Returns the form's field of a path of the API's methods. */
const fieldOf =
  ({ basis }: MethodInput) =>
  (path: string): string =>
    path
      .replace(/^shipping\.methods\.\d+\./, '')
      .replace(/^tiers(?=\.|$)/, basis === 'value' ? 'by_value' : 'by_weight')
      .replace(/from_(subtotal|weight)/, 'from');

/** Returns whether the form of a new method was sent before: one is like it, and methods came after it was shown. */
function wasAdded(request: PageRequest, stored: Shipping, input: MethodInput): boolean {
  if (isAsShown(request, SHOWN_METHODS, stored)) return false;
  const added = canonicalJson(methodValues(input));
  const isSame = (method: Method) => canonicalJson(storedValues(METHOD_PARTS, method)) === added;
  return (stored.methods ?? []).some((one) => isSame(one) && (!input.id || input.id === one.id));
}

async function create(request: PageRequest, input: MethodInput): Promise<Outcome> {
  const changed = await changeShipping(request, (stored) => {
    if (wasAdded(request, stored, input)) return null;
    const methods = stored.methods ?? [];
    const id = input.id || freeId(input.name, methods);
    return { ...stored, methods: [...methods, methodOf(methodValues(input), id)] };
  });
  return changed.ok
    ? { to: SHIPPING_PATH, note: 'created' }
    : { formError: renameErrors(changed.formError, fieldOf(input)) };
}

/** The shipping settings, and the request's method among them. */
interface StoredMethod {
  readonly shipping: Shipping;
  readonly method: Method;
}

async function loadMethod(request: PageRequest): Promise<Answer<StoredMethod>> {
  const stored = await request.api({ path: '/v1/settings', answer: Settings });
  if (!stored.ok) return stored;
  const { shipping } = stored.value;
  const method = shipping.methods?.find(({ id }) => id === request.param('id'));
  return method ? { ...stored, value: { shipping, method } } : { ok: false, ...UNKNOWN };
}

/** Saves what was changed here, and asks where somebody else has changed the same meanwhile. */
const change = (request: PageRequest, input: MethodInput): Promise<Outcome> =>
  saveEdit(request, {
    path: '/v1/settings',
    to: SHIPPING_PATH,
    load: () => loadMethod(request),
    parts: () =>
      METHOD_PARTS.map((part) => ({ ...part, of: ({ method }: StoredMethod) => storedPart(part, method) })),
    values: methodValues(input),
    patch: ({ shipping, method }, changed) => ({
      shipping: {
        ...shipping,
        methods: shipping.methods?.map((one) =>
          one.id === method.id ? changedMethod(method, changed) : one,
        ),
      },
    }),
    fieldOf: fieldOf(input),
  });

const MoveUpForm = z.object({ before: z.string() });

/** Moves a method before the one that was shown above it: sent twice, the form has one effect. */
async function moveUp(request: PageRequest, { before }: z.output<typeof MoveUpForm>): Promise<Outcome> {
  const changed = await changeShipping(request, (stored) => {
    const methods = stored.methods ?? [];
    const moved = methods.find(({ id }) => id === request.param('id'));
    const others = methods.filter((method) => method !== moved);
    const place = others.findIndex(({ id }) => id === before);
    if (!moved || place < 0) return UNKNOWN;
    const ordered = others.toSpliced(place, 0, moved);
    // The same form may be sent again.
    return ordered.every((one, n) => one === methods[n]) ? null : { ...stored, methods: ordered };
  });
  const page = Math.trunc(Number(request.sent._page?.[0])) || 1;
  return changed.ok ? { to: `${SHIPPING_PATH}${page > 1 ? `?page=${page}` : ''}`, note: 'saved' } : changed;
}

const at = (path: string) => ({ path: `${SHIPPING_PATH}${path}` as const, audience: 'developer' }) as const;

const deletePages = confirmPages(
  at('/methods/:id/delete'),
  async (request) => {
    const found = await knownMethod(request);
    if (!found) return UNKNOWN;
    const { id, name } = found.known;
    return {
      title: `Delete the shipping method ${clip(name, 60)}?`,
      trail: shippingTrail,
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
    const changed = await changeShipping(request, (stored) => {
      const methods = stored.methods?.filter(({ id }) => id !== request.param('id'));
      if (methods?.length !== stored.methods?.length) return { ...stored, methods };
      return isGone(request) ? null : UNKNOWN;
    });
    return changed.ok ? { to: SHIPPING_PATH, note: 'removed' } : changed;
  },
);

/** The pages that add, change, order and delete shipping methods. */
export const methodPages: readonly Page[] = [
  ...formPages({ ...at('/new-method'), needs: 'staff', form: MethodForm }, newPage, create),
  ...formPages({ ...at('/methods/:id'), form: MethodForm }, onePage, change),
  form({ ...at('/methods/:id/up'), form: MoveUpForm }, shippingPage, moveUp),
  ...deletePages,
];
