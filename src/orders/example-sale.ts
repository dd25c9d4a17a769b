import type { Order } from './schemas.ts';

/** The only line of the example customer's order: three bags of coffee. */
export const coffee = (): Order['items'][number] => ({
  id: 1,
  product_id: 1,
  variant_id: null,
  sku: 'ESP-250',
  name: 'Espresso Kreuzberg 250 g',
  slug: 'espresso-kreuzberg-250-g',
  image: 'https://shop.example.com/images/espresso.jpg',
  type: 'simple',
  ships: true,
  fulfilled_quantity: 0,
  options: {},
  selected: [],
  quantity: 3,
  unit_price: 8.9,
  total: 26.7,
  discount: 2.67,
  tax: 1.57,
  tax_rate_percent: 7,
  discounts: [{ promotion_id: 1, amount: 2.67 }],
});

/** What that order comes to, and the tax in it. */
export const amounts = (): Pick<Order, 'totals' | 'tax_lines' | 'shipping_tax_rate_percent'> => ({
  totals: {
    subtotal: 26.7,
    tax: 1.57,
    shipping: 4.9,
    discount: 2.67,
    grand_total: 28.93,
    subtotal_after_discount: 24.03,
    tax_included: true,
  },
  tax_lines: [
    { rate_percent: 7, net: 22.46, tax: 1.57 },
    { rate_percent: 0, net: 4.9, tax: 0 },
  ],
  shipping_tax_rate_percent: 0,
});
