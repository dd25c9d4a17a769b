import {
  type AnyApiError,
  ApiError,
  type Client,
  createClient,
  followEvents,
  isApiError,
  type Schemas,
  type WebhookEvent,
} from '../../client/src/index.ts';

/** Calls that must compile, and some that must not; checked by `tsc`, never run. */

export async function typed(client: Client): Promise<void> {
  const { data } = await client.products.list({ limit: 3, sort: 'price_asc' });
  data[0]?.name satisfies string | undefined;
  const product = await client.products.get({ id: 3 });
  product.variants?.[0]?.attributes satisfies Record<string, string> | undefined;
  const cart = await client.cart.addItem({ product_id: 1, quantity: 2 });
  cart.items[0]?.quantity satisfies number | undefined;
  await client.cart.get();
  await client.cart.create();
  await client.cart.updateItem({ id: 3, quantity: 2 }, { ifMatch: cart });
  await client.cart.removeItem({ id: 3 });
  await client.cart.setShippingAddress({ country: 'DE' });
  await client.imports.create({ body: 'Handle,Title', stock: 'set' });
  const asked: { cursor?: string } = {};
  // What is undefined is left out, so that a page can pass on what its own URL may have.
  await client.products.list({ cursor: asked.cursor, sort: undefined }, { signal: undefined });
  createClient({ baseUrl: 'https://api.example.com', token: 't', buyerIp: asked.cursor });
  followEvents(client, { after: asked.cursor });
  const { customer } = await client.customers.login({ email: 'ada@example.com', password: 'correct horse' });
  customer.email satisfies string;
  (await client.products.delete({ id: 3 })) satisfies undefined;
}

/** Lists that are CSV files on request return objects here: the client asks for JSON. */
export async function typedLists(client: Client): Promise<void> {
  (await client.orders.list({ status: 'paid' })).data[0]?.number satisfies number | undefined;
  (await client.customers.list()).meta.next_cursor satisfies string | null;
  for await (const { name } of client.promotions.list.each()) name satisfies string;
  for await (const { line } of client.imports.listErrors.each({ id: 'imp_1' })) line satisfies number;
  (await client.imports.exportProducts()).rows satisfies readonly string[][];
}

/** The type of a product tells which field it has. */
export function choicesOf(product: Schemas['Product']): readonly object[] {
  // @ts-expect-error Not every product has variants.
  product.variants.length;
  switch (product.type) {
    case 'configurable':
      return product.variants;
    case 'downloadable':
      return product.links;
    case 'grouped':
      return product.grouped;
    case 'bundled':
      return product.bundle_groups.flatMap(({ items }) => items);
    case 'booking':
      return product.booking.slots;
    case 'simple':
    case 'virtual':
      // @ts-expect-error Only a booking has slots.
      return product.booking.slots;
  }
}

/** A comma list may be an array. */
export async function listed(client: Client, colors: string[]): Promise<void> {
  const facets = ['price', 'attr.color'] as const;
  await client.products.list({ facets, include: ['variants'], attr: { color: colors }, category_id: [1, 2] });
  await client.products.list({ ids: [7, 3], include: 'images' });
  const chosen: { color?: readonly string[] } = {};
  await client.products.list({ attr: { color: chosen.color } });
  await client.products.search({ q: 'mug', vendor: colors, attr: { size: 'M,L' }, category_id: 3 });
  await client.orders.list({ payment_status: ['paid', 'partially_refunded'] });
  await client.events.list({ types: ['order.paid', 'order.cancelled'] });
  // @ts-expect-error There is one search text.
  await client.products.list({ q: colors });
}

/** What one call returns another one takes, and what a form holds. */
export async function passedOn(client: Client, form: { country: string; currency: string }): Promise<void> {
  const { data } = await client.customers.listAddresses();
  const {
    id: _,
    label,
    is_default,
    created_at,
    updated_at,
    ...address
  } = data[0] ?? (await saved(client, form));
  await client.cart.setShippingAddress(address);
  const cart = await client.cart.create({ currency: form.currency });
  await client.products.list({ currency: cart.currency });
  cart.currency satisfies string;
}

const saved = (client: Client, { country }: { country: string }) =>
  client.customers.createAddress({ country });

/** What has a default may be left out of a request. */
export async function defaulted(client: Client): Promise<void> {
  await client.settings.update({ shipping: { flat: 4.9 } });
  await client.orders.refund({ id: 'ord_1', items: [{ line_id: 1, quantity: 1 }] });
  await client.inventory.adjust({ items: [{ sku: 'mug', delta: -1 }] });
  await client.webhooks.create({ url: 'https://shop.example.com/hook', events: ['order.paid'] });
  const sets = { bundle_groups: [{ title: 'Cup', items: [{ product_id: 3 }] }] };
  const { bundle_groups } = await client.products.create({ name: 'Set', type: 'bundled', price: 0, ...sets });
  for (const { required } of bundle_groups ?? []) required satisfies boolean;
  await client.promotions.create({ name: 'Spring', trigger: 'automatic', effect: { kind: 'free_shipping' } });
}

export async function iterated(client: Client): Promise<void> {
  for await (const product of client.products.each({ q: 'mug' })) product.slug satisfies string;
  for await (const product of client.products.search.each({ q: 'mug' })) product.id satisfies number;
  for await (const delivery of client.webhooks.listDeliveries.each({ id: 2 }))
    delivery.status satisfies string;
  for await (const webhook of client.webhooks.each()) webhook.url satisfies string;
  // @ts-expect-error A cart is no list.
  client.cart.each;
}

export async function refused(client: Client): Promise<void> {
  // @ts-expect-error The id is missing.
  await client.products.get();
  // @ts-expect-error The id is missing.
  await client.products.get({ id: undefined });
  // @ts-expect-error The id is a number.
  await client.products.get({ id: 'mug' });
  // @ts-expect-error There is no such field.
  await client.cart.addItem({ product_id: 1, quantity: 1, colour: 'red' });
}

export function narrowed(caught: unknown): number | string | undefined {
  if (isApiError(caught, 'insufficient_stock')) return caught.details?.available;
  if (caught instanceof ApiError && caught.is('insufficient_scope')) return caught.details?.required_scope;
  if (!isApiError(caught)) return undefined;
  const error: AnyApiError = caught;
  switch (error.code) {
    case 'slot_unavailable':
      return error.details?.from;
    case 'cart_locked':
      return error.details?.order_id;
    case 'price_changed':
      return error.details?.cart?.totals.grand_total;
    // The change of a batch that failed.
    case 'insufficient_stock':
    case 'coupon_not_applicable':
    case 'product_not_found':
      return error.details?.index;
    // @ts-expect-error There is no such code.
    case 'out_of_milk':
      return undefined;
    default:
      return error.code;
  }
}

export const orderNumber = (event: WebhookEvent): number | undefined =>
  event.type === 'order.paid' ? event.data.number : undefined;
