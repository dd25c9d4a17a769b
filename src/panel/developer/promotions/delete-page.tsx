import { PromotionAnswer } from '../../../promotions/index.ts';
import { clip } from '../../../web/index.ts';
import { confirmPages, deleteAt } from '../../confirm.tsx';
import { apiPath, PROMOTIONS_PATH, trail } from './list.tsx';

function ordersText(uses: number): string {
  if (uses === 0) return 'No order has';
  return uses === 1 ? '1 order has' : `${uses} orders have`;
}

/** The page that asks before a promotion is deleted. */
export const deletePages = confirmPages(
  { path: '/developer/promotions/:id/delete', audience: 'developer' },
  async (request) => {
    const found = await request.api({ path: apiPath(request), answer: PromotionAnswer });
    if (!found.ok) return found;
    const { id, name, uses } = found.value;
    const here = `${PROMOTIONS_PATH}/${id}`;
    return {
      title: `Delete the promotion ${clip(name, 60)}?`,
      trail: [...trail, [here, clip(name, 40)]],
      body: (
        <p>
          Carts lose it within two seconds. {ordersText(uses)} redeemed it; orders keep their discount. To end
          it and keep it in the list, make it inactive instead.
        </p>
      ),
      submit: 'Delete promotion',
      keep: [here, 'Keep the promotion'],
    };
  },
  (request) => deleteAt(request, apiPath(request), PROMOTIONS_PATH),
);
