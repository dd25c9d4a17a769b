import { z } from 'zod';
import { sha256 } from '../../kernel/crypto/crypto.ts';
import { canonicalJson } from '../../kernel/text/canonical-json.ts';
import { asFormError, type FormError, type Outcome, type PageRequest } from '../../web/index.ts';
import { attempt, attemptAsGuest, isLost, onceKey, withKey } from '../frame/attempt.ts';
import { countItems, shopOf } from '../frame/session.ts';
import { chooseVariant, FIELDS, filledOf, optionsOf, type Product } from './choice.ts';

/** The fields of a product's form, whose names depend on the product. */
export const Chosen = z.record(
  z.string().max(60),
  z.union([z.string().max(255), z.array(z.string().max(255)).max(200)]),
);

/** What a shopper is asked for whose choice is refused, by the product's type. */
const MISSING: Partial<Record<Product['type'], string>> = {
  grouped: 'Choose how many of each product.',
  downloadable: 'Choose at least one file.',
  booking: 'Choose a time.',
};

/** Returns an error of the cart in the shopper's words: the API names its own fields, which the form doesn't have. */
const inShopWords = (formError: FormError, { type }: Product): FormError => {
  const wrong = Object.entries(formError.errors);
  return wrong.some(([field]) => field.startsWith('options'))
    ? {
        ...formError,
        message: MISSING[type] ?? 'Choose from each list.',
        errors: Object.fromEntries(wrong.filter(([field]) => !field.startsWith('options'))),
      }
    : formError;
};

/**
 * Returns the idempotency key of a form with what is chosen in it; undefined without one. A browser may keep the page
 * and send another choice from it.
 */
function choiceKey(request: PageRequest): string | undefined {
  const choice = Object.entries(request.sent).filter(([name]) => !name.startsWith('_'));
  const once = onceKey(request);
  return once && `${once}-${sha256(canonicalJson(choice)).slice(0, 16)}`;
}

/** Puts the chosen product into the cart of the browser; into a new one if that is no longer usable. */
export async function addToCart(
  request: PageRequest,
  product: Product,
  chosen: z.output<typeof Chosen>,
): Promise<Outcome> {
  const filled = filledOf(request);
  if (product.variants?.length && !chooseVariant(product, filled).variant) {
    return asFormError('This combination is not available. Choose another one.');
  }
  const options = optionsOf(product, filled);
  const quantity = Number([chosen[FIELDS.quantity] ?? 1].flat()[0]);
  const item = { product_id: product.id, quantity, ...(options && { options }) };
  const client = shopOf(request);
  const once = choiceKey(request);
  const send = () => attemptAsGuest(() => client.cart.addItem(item, withKey(once)));
  const cart = client.session.cartToken;
  let added = await send();
  if (!added.ok && cart && isLost(added.formError)) {
    client.setSession({ cartToken: null });
    added = await send();
  }
  // A double click whose first request has made the cart, with which the second is another call.
  const isAdded = !added.ok && added.formError.code === 'idempotency_key_reused';
  if (isAdded) return { to: '/demo/cart' };
  if (!added.ok) return { formError: inShopWords(added.formError, product) };
  countItems(request, added.value);
  // A new cart is the signed-in customer's.
  if (added.value.cart_token !== cart && client.session.customerToken) {
    await attempt(client.customers.assignCart());
  }
  return { to: '/demo/cart', note: 'in_cart' };
}
