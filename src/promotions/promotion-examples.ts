import type { Example, NamedExamples } from '../kernel/openapi/example.ts';
import type {
  PromotionAnswer,
  PromotionCreate,
  PromotionList,
  PromotionParams,
  PromotionPatch,
  PromotionProducts,
} from './schemas.ts';

const params = { id: 2 } as const;
const NO_CONDITIONS = {
  minimum_subtotal: null,
  minimum_quantity: null,
  product_ids: [],
  category_ids: [],
  first_order: false,
};
const unlimited = { max_uses: null, max_uses_per_customer: null, active: true, uses: 0 } as const;

/** A sale of the next summer that every cart with three bags of coffee gets. */
const sale = (): PromotionAnswer => ({
  id: 2,
  name: 'Every third bag at half price',
  trigger: 'automatic',
  code: null,
  conditions: { ...NO_CONDITIONS, product_ids: [1] },
  effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 50 },
  priority: 10,
  combinable: true,
  starts_at: '2030-05-31T22:00:00.000Z',
  ends_at: null,
  ...unlimited,
  created_at: '2026-11-23T11:10:41.804Z',
  updated_at: '2026-11-23T11:10:41.804Z',
});

/** A code that goes together with the sale. */
const code = (): PromotionAnswer => ({
  id: 3,
  name: 'Free shipping from €30',
  trigger: 'code',
  code: 'FREESHIP',
  conditions: { ...NO_CONDITIONS, minimum_subtotal: 30 },
  effect: { kind: 'free_shipping' },
  priority: 100,
  combinable: true,
  starts_at: null,
  ends_at: null,
  ...unlimited,
  created_at: '2026-11-23T11:12:07.116Z',
  updated_at: '2026-11-23T11:12:07.116Z',
});

/** The coupon of the example shop, as a promotion. */
const coupon = (): PromotionAnswer => ({
  id: 1,
  name: 'WELCOME10',
  trigger: 'code',
  code: 'WELCOME10',
  conditions: { ...NO_CONDITIONS, minimum_subtotal: 15 },
  effect: { kind: 'percent', value: 10 },
  priority: 100,
  combinable: false,
  starts_at: null,
  ends_at: '2030-12-31T22:59:59.000Z',
  ...unlimited,
  max_uses: 500,
  max_uses_per_customer: 1,
  created_at: '2026-11-23T11:05:30.276Z',
  updated_at: '2026-11-23T11:08:12.903Z',
});

const meta = { page: 1, limit: 20, total: 3, total_pages: 1, next_cursor: null };

/** Examples of the endpoints for promotions. */
export const promotionExamples = {
  create: (): NamedExamples<{ body: typeof PromotionCreate; answer: typeof PromotionAnswer }> => ({
    automatic: {
      summary: 'Automatic, on every third bag',
      body: {
        name: 'Every third bag at half price',
        trigger: 'automatic',
        conditions: { product_ids: [1] },
        effect: { kind: 'buy_x_get_y', buy: 2, get: 1, percent_off: 50 },
        priority: 10,
        combinable: true,
        starts_at: '2030-06-01T00:00:00+02:00',
      },
      answer: sale(),
    },
    code: {
      summary: 'With a code that combines',
      body: {
        name: 'Free shipping from €30',
        trigger: 'code',
        code: 'FREESHIP',
        conditions: { minimum_subtotal: 30 },
        effect: { kind: 'free_shipping' },
        combinable: true,
      },
      answer: code(),
    },
  }),
  list: (): Example<{ answer: typeof PromotionList }> => ({
    answer: { data: [coupon(), sale(), code()], meta },
  }),
  get: (): Example<{ params: typeof PromotionParams; answer: typeof PromotionAnswer }> => ({
    params,
    answer: sale(),
  }),
  products: (): Example<{ params: typeof PromotionParams; answer: typeof PromotionProducts }> => ({
    params,
    answer: { data: [{ id: 1, name: 'Espresso Kreuzberg 250 g', sku: 'ESP-250' }] },
  }),
  patch: (): Example<{
    params: typeof PromotionParams;
    body: typeof PromotionPatch;
    answer: typeof PromotionAnswer;
  }> => ({
    params,
    body: { ends_at: '2030-09-01T00:00:00+02:00' },
    answer: {
      ...sale(),
      ends_at: '2030-08-31T22:00:00.000Z',
      updated_at: '2026-11-23T11:14:55.030Z',
    },
  }),
  remove: (): Example<{ params: typeof PromotionParams }> => ({ params }),
};
