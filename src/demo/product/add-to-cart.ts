import { z } from 'zod';
import { asTrouble, type FormError, type Outcome, type PageRequest } from '../../web/index.ts';
import { attempt, attemptAsGuest, isLost } from '../frame/attempt.ts';
import { countItems, shopOf } from '../frame/session.ts';
import { chooseVariant, FIELDS, filledOf, optionsOf, type Product } from './choice.ts';

/** The fields of a product's form, whose names depend on the product. */
export const Chosen = z.record(
  z.string().max(60),
  z.union([z.string().max(255), z.array(z.string().max(255)).max(200)]),
);

/** Returns an error of the cart in the shopper's words: the API names its own fields, which the form doesn't have. */
const inShopWords = (trouble: FormError): FormError => {
  const wrong = Object.entries(trouble.errors);
  return wrong.some(([field]) => field.startsWith('options'))
    ? {
        ...trouble,
        message: 'Choose from each list.',
        errors: Object.fromEntries(wrong.filter(([field]) => !field.startsWith('options'))),
      }
    : trouble;
};

/** Puts the chosen product into the cart of the browser; into a new one if that is no longer usable. */
export async function addToCart(
  request: PageRequest,
  product: Product,
  chosen: z.output<typeof Chosen>,
): Promise<Outcome> {
  const filled = filledOf(request);
  if (product.variants?.length && !chooseVariant(product, filled).variant) {
    return asTrouble('This combination is not available. Choose another one.');
  }
  const options = optionsOf(product, filled);
  const quantity = Number([chosen[FIELDS.quantity] ?? 1].flat()[0]);
  const item = { product_id: product.id, quantity, ...(options && { options }) };
  const client = shopOf(request);
  const once = request.sent._once?.[0];
  const send = (key = once) =>
    attemptAsGuest(() => client.cart.addItem(item, key === undefined ? {} : { idempotencyKey: key }));
  const cart = client.session.cartToken;
  let added = await send();
  if (!added.ok && cart && isLost(added.trouble)) {
    client.setSession({ cartToken: null });
    added = await send(once && `${once}-new`);
  }
  if (!added.ok) return { trouble: inShopWords(added.trouble) };
  countItems(request, added.value);
  // A new cart is the signed-in customer's.
  if (added.value.cart_token !== cart && client.session.customerToken) {
    await attempt(client.customers.assignCart());
  }
  return { to: '/demo/cart', note: 'in_cart' };
}
