import type { Example, NamedExamples } from '../../kernel/openapi/example.ts';
import type {
  Category,
  CategoryCreate,
  CategoryPatch,
  CategoryTree,
  CategoryUpdated,
  ProductCategory,
} from '../categories/schemas.ts';
import type { IdParams, SlugParams } from '../products/query-schemas.ts';

const seo = {
  title: 'Coffee, roasted in Kreuzberg',
  description: 'Fresh beans, roasted every Monday in Berlin.',
};
const erp = { erp_group: '4711' };
const image_url = 'https://shop.example.com/images/cycling.jpg';

const category = (fields: Partial<Category> & Pick<Category, 'id' | 'name' | 'slug'>): Category => ({
  parent_id: null,
  description: null,
  image_url: null,
  product_count: 0,
  hidden: false,
  updated_at: '2026-11-23T09:04:51.207Z',
  children: [],
  ...fields,
});
/** A category as its products show it. */
const ofProduct = ({ id, name, slug, parent_id, image_url, seo }: Category): ProductCategory => ({
  id,
  name,
  slug,
  parent_id,
  image_url,
  ...(seo && { seo }),
  children: [],
});
/** A category as a caller with `catalog:write` sees it. */
const edited = (seen: Category, metadata: Category['metadata'] = {}): Category => ({ ...seen, metadata });

const description = 'Beans from our own roastery.';
const coffee = (): Category => category({ id: 1, name: 'Coffee', slug: 'coffee', description, seo });
/** The example shop's category for coffee, as products show it. */
export const coffeeAlone = (): ProductCategory => ofProduct(coffee());
const cycling = (children: Category[]): Category =>
  category({ id: 2, name: 'Cycling', slug: 'cycling', image_url, children });
const clothing = (): Category => category({ id: 3, name: 'Clothing', slug: 'clothing', parent_id: 2 });
/** The example shop's category for cycling, as products show it. */
export const cyclingAlone = (): ProductCategory => ofProduct(cycling([]));
const renamed = (): Category => ({
  ...clothing(),
  name: 'Cycling clothing',
  slug: 'cycling-clothing',
  updated_at: '2026-11-23T09:06:12.480Z',
});
/** The example shop's category for clothing after it was renamed, as products show it. */
export const renamedClothing = (): ProductCategory => ofProduct(renamed());
/** The event of that. */
export const clothingRenamed = (): CategoryUpdated => {
  const { seo: _, product_count: __, children: ___, ...fields } = renamed();
  return { ...fields, changed: ['name', 'slug'], former_slug: clothing().slug };
};

/** Examples of the endpoints for categories. */
export const categoryExamples = {
  tree: (): Example<{ answer: typeof CategoryTree }> => ({
    answer: { data: [edited(coffee(), erp), edited(cycling([edited(clothing())]))] },
  }),
  get: (): Example<{ params: typeof IdParams; answer: typeof Category }> => ({
    params: { id: 2 },
    answer: edited(cycling([edited(clothing())])),
  }),
  getBySlug: (): Example<{ params: typeof SlugParams; answer: typeof Category }> => ({
    params: { slug: 'clothing' },
    answer: edited(renamed()),
  }),
  create: (): NamedExamples<{ body: typeof CategoryCreate; answer: typeof Category }> => ({
    coffee: {
      summary: 'A root category',
      body: { name: 'Coffee', description, seo, metadata: erp },
      answer: edited(coffee(), erp),
    },
    cycling: {
      summary: 'A root category with an image',
      body: { name: 'Cycling', image_url },
      answer: edited(cycling([])),
    },
    clothing: {
      summary: 'A subcategory',
      body: { name: 'Clothing', parent_id: 2 },
      answer: edited(clothing()),
    },
  }),
  patch: (): Example<{
    params: typeof IdParams;
    body: typeof CategoryPatch;
    answer: typeof Category;
  }> => ({
    params: { id: 3 },
    body: { name: 'Cycling clothing', slug: 'cycling-clothing' },
    answer: edited(renamed()),
  }),
  remove: (): Example<{ params: typeof IdParams }> => ({ params: { id: 3 } }),
};
