import { expect, it } from 'vitest';
import { createProduct, seeing } from '../../support/fixtures/catalog/products.ts';
import { world } from '../../support/world.ts';

/** The client's types rely on it: every product has the field of its type. */

it('has the field of its type, also where nothing is in it, and after a change of type', async () => {
  const shop = await world();
  const mug = (await createProduct(shop, { name: 'Mug' })).body.id;
  const item = { product_id: mug, default_quantity: 1 };
  const bodies: Record<string, object> = {
    configurable: { variants: [{ sku: 'V', price: 1, attributes: { Size: 'M' } }] },
    downloadable: {},
    grouped: { grouped: [item] },
    bundled: { price: 1, bundle_groups: [{ title: 'Mug', items: [{ product_id: mug }] }] },
    booking: { booking: { timezone: 'UTC', slots: [] } },
    virtual: {},
  };
  const fields = ['links', 'grouped', 'bundle_groups', 'booking'];
  const own: Record<string, string[]> = {
    downloadable: ['links'],
    grouped: ['grouped'],
    bundled: ['bundle_groups'],
    booking: ['booking'],
  };
  const changing = await createProduct(shop, { name: 'Changing' });
  for (const [type, body] of Object.entries(bodies)) {
    const made = await createProduct(shop, { name: `A ${type}`, type, ...body });
    const changed = await shop.patch(`/products/${changing.body.id}`, {
      type,
      ...body,
      ...(type === 'configurable' && { variants: [{ sku: 'W', price: 1, attributes: { Size: 'M' } }] }),
    });
    expect(changed.status, JSON.stringify(changed.body)).toBe(200);
    const read = await shop.get(`/products/slug/${made.body.slug}`, seeing(made));
    for (const product of [made.body, changed.body, read.body]) {
      expect(Array.isArray(product.variants), type).toBe(true);
      expect(fields.filter((field) => field in product)).toEqual(own[type] ?? []);
    }
  }
});
