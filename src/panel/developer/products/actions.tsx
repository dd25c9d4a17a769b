import { z } from 'zod';
import { Product } from '../../../catalog/index.ts';
import { clip, form, type Outcome, type Page, type PageRequest, postOnce } from '../../../web/index.ts';
import { confirmPages, deleteAt } from '../../confirm.tsx';
import { countOf } from '../../count-of.ts';
import { hasOwnStock, type Item, loadProduct, productPath, root } from './product.tsx';

const at = (path: string) => ({ path: `${root}/:id${path}`, audience: 'developer' }) as const;

async function duplicate(request: PageRequest): Promise<Outcome> {
  const copied = await postOnce(request, { path: `${productPath(request)}/duplicate`, answer: Product });
  return copied.ok ? { to: `${root}/${copied.value.id}`, note: 'duplicated' } : copied;
}

/** Ends the sentence that a product is removed: with its variants and stock; the stock of a set is its members'. */
function removedWith({ type, variants = [], stock, inventory_policy }: Item): string {
  if (type === 'grouped' || type === 'bundled') return '. The products in it stay, with their stock.';
  const count = variants.length;
  const isCounted = inventory_policy !== 'untracked' && (hasOwnStock(type) || count > 0);
  const parts = [
    ...(count > 0 ? [`its ${countOf(count, 'variant')}`] : []),
    ...(isCounted ? [`its stock of ${stock}`] : []),
  ];
  return parts.length > 0 ? `, with ${parts.join(' and ')}.` : '.';
}

const deletePages = confirmPages(
  at('/delete'),
  async (request) => {
    const answer = await loadProduct(request);
    if (!answer.ok) return answer;
    const { id, name } = answer.value;
    return {
      title: `Delete ${clip(name, 80)}?`,
      trail: [
        [root, 'Products'],
        [`${root}/${id}`, clip(name, 60)],
      ],
      body: (
        <p>
          The product is removed from the shop, from groups and from bundles{removedWith(answer.value)} Orders
          keep what was bought. This cannot be undone. To hide it for a while, set its status to inactive.
        </p>
      ),
      submit: 'Delete the product',
      keep: [`${root}/${id}`, 'Keep the product'],
    };
  },
  (request) => deleteAt(request, productPath(request), root),
);

/** The pages that duplicate and delete a product. */
export const actionPages: readonly Page[] = [
  // A failed duplication has no form to return to: its error is the page. After an ended session the product is.
  form(
    { ...at('/duplicate'), form: z.object({}) },
    async (request, formError) =>
      formError
        ? { formError }
        : { to: `${root}/${encodeURIComponent(request.param('id'))}`, note: 'resumed' },
    duplicate,
  ),
  ...deletePages,
];
