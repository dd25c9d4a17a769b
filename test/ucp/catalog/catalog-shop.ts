import { forgetTenants, type UcpAnswer, ucpShop } from '../../support/fixtures/agents/agent-shop.ts';
import { createProduct } from '../../support/fixtures/catalog/products.ts';

type Shop = Awaited<ReturnType<typeof ucpShop>>;

export const TRANSPORTS = ['rest', 'mcp'] as const;
const TOOLS = { search: 'search_catalog', lookup: 'lookup_catalog', product: 'get_product' } as const;

/** Calls an operation of the catalogue as an agent does. */
export const ask = (
  shop: Shop,
  transport: (typeof TRANSPORTS)[number],
  what: keyof typeof TOOLS,
  catalog: object,
): Promise<UcpAnswer> =>
  transport === 'rest' ? shop.rest('POST', `/catalog/${what}`, catalog) : shop.tool(TOOLS[what], { catalog });

const jersey = {
  name: 'Merino jersey',
  type: 'configurable',
  variants: [
    {
      sku: 'J-M-F',
      price: 79,
      stock: 3,
      attributes: { Size: 'M', Colour: 'Forest' },
      barcode: '4006381333931',
    },
    { sku: 'J-L-F', price: 89, stock: 0, attributes: { Size: 'L', Colour: 'Forest' } },
    { sku: 'J-L-S', price: 95, stock: 2, attributes: { Size: 'L', Colour: 'Sand' } },
  ],
};

/** Creates a shop with a porcelain cup, a jersey in three variants below the category Wear, and a hidden cup. */
export async function catalogShop() {
  const shop = await ucpShop({
    name: 'Kaffee & Kette',
    currencies: ['EUR', 'JPY'],
    ucp: {
      storefront_url: 'https://shop.example.com/',
      product_url: 'https://shop.example.com/p/{slug}?variant={variant_id}',
      policies: { refunds: 'https://shop.example.com/refunds' },
    },
  });
  const parent = await shop.post('/categories', { name: 'Wear' });
  const category = (await shop.post('/categories', { name: 'Jerseys', parent_id: parent.body.id })).body;
  const cup: { id: number } = (
    await createProduct(shop, {
      name: 'Porcelain cup',
      description: '<p>White &amp; <b>thin</b></p>',
      regular_price: 12.5,
      stock: 5,
      images: [{ url: 'https://img.example.com/cup.jpg', alt: 'A white cup' }],
      tags: ['gift'],
    })
  ).body;
  const shirt: { id: number; variants: { id: number; sku: string }[] } = (
    await createProduct(shop, { ...jersey, category_ids: [category.id] })
  ).body;
  await createProduct(shop, { name: 'Hidden cup', status: 'inactive' });
  forgetTenants();
  return { shop, cup, shirt };
}

/** The products of {@link catalogShop}. */
export type CatalogShop = Awaited<ReturnType<typeof catalogShop>>;

/** The ids of the products in a response. */
export const ids = (answer: UcpAnswer): string[] => answer.body.products.map(({ id }: { id: string }) => id);
