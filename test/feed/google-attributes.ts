import type { Attribute } from '../../src/feed/product-feeds/google-item.ts';

/** Google's rule for an attribute: whether it is required, its most characters, and its form. */
interface Rule {
  readonly required?: true;
  readonly most?: number;
  readonly form?: RegExp;
  readonly repeated?: number;
}

const URL_FORM = /^https:\/\/[^\s<>"{}|\\^`]+$/;

const MONEY = /^\d+(\.\d{1,4})? [A-Z]{3}$/;

const INSTANT = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d(?:Z|[+-]\\d{4})';

export const RULES: Readonly<Record<Attribute, Rule>> = {
  id: { required: true, most: 50, form: /^\S+$/ },
  title: { required: true, most: 150 },
  description: { required: true, most: 5_000, form: /^[^<>]*$/ },
  link: { required: true, most: 2_000, form: URL_FORM },
  image_link: { required: true, most: 2_000, form: URL_FORM },
  additional_image_link: { most: 2_000, form: URL_FORM, repeated: 10 },
  availability: { required: true, form: /^(in_stock|out_of_stock|preorder|backorder)$/ },
  price: { required: true, form: MONEY },
  sale_price: { form: MONEY },
  sale_price_effective_date: { most: 51, form: new RegExp(`^${INSTANT}/${INSTANT}$`) },
  brand: { most: 70 },
  gtin: { most: 50, form: /^(\d{8}|\d{12,14})$/ },
  mpn: { most: 70 },
  identifier_exists: { form: /^(yes|no)$/ },
  item_group_id: { most: 50, form: /^\S+$/ },
  color: { most: 100, form: /^[^/]+(\/[^/]+){0,2}$/ },
  size: { most: 100 },
  product_type: { most: 750 },
  shipping_weight: { form: /^\d+(\.\d+)? (lb|oz|g|kg)$/ },
};
