import type { Example, NamedExamples } from '../../kernel/openapi/example.ts';
import type { Category, CategoryCreate, CategoryPatch, CategoryTree } from '../categories/schemas.ts';
import type { IdParams } from '../products/query-schemas.ts';

const seo = {
  title: 'Coffee, roasted in Kreuzberg',
  description: 'Fresh beans, roasted every Monday in Berlin.',
};
const image_url = 'https://shop.example.com/images/cycling.jpg';

const category = (fields: Partial<Category> & Pick<Category, 'id' | 'name' | 'slug'>): Category => ({
  parent_id: null,
  image_url: null,
  children: [],
  ...fields,
});
/** The example shop's category for coffee. */
export const coffee = (): Category => category({ id: 1, name: 'Coffee', slug: 'coffee', seo });
const cycling = (children: Category[]): Category =>
  category({ id: 2, name: 'Cycling', slug: 'cycling', image_url, children });
const clothing = (): Category => category({ id: 3, name: 'Clothing', slug: 'clothing', parent_id: 2 });
/** The example shop's category for cycling, as products show it. */
export const cyclingAlone = (): Category => cycling([]);
/** The example shop's category for clothing, after it was renamed. */
export const renamedClothing = (): Category => ({
  ...clothing(),
  name: 'Cycling clothing',
  slug: 'cycling-clothing',
});

/** Examples of the endpoints for categories. */
export const categoryExamples = {
  tree: (): Example<{ answer: typeof CategoryTree }> => ({
    answer: { data: [coffee(), cycling([clothing()])] },
  }),
  get: (): Example<{ params: typeof IdParams; answer: typeof Category }> => ({
    params: { id: 2 },
    answer: cycling([clothing()]),
  }),
  create: (): NamedExamples<{ body: typeof CategoryCreate; answer: typeof Category }> => ({
    coffee: { summary: 'A root category', body: { name: 'Coffee', seo }, answer: coffee() },
    cycling: {
      summary: 'A root category with an image',
      body: { name: 'Cycling', image_url },
      answer: cycling([]),
    },
    clothing: {
      summary: 'A subcategory',
      body: { name: 'Clothing', parent_id: 2 },
      answer: clothing(),
    },
  }),
  patch: (): Example<{
    params: typeof IdParams;
    body: typeof CategoryPatch;
    answer: typeof Category;
  }> => ({
    params: { id: 3 },
    body: { name: 'Cycling clothing', slug: 'cycling-clothing' },
    answer: renamedClothing(),
  }),
  remove: (): Example<{ params: typeof IdParams }> => ({ params: { id: 3 } }),
};
