import { z } from 'zod';
import {
  normalText,
  optional,
  optionalInstant,
  optionalLines,
  optionalText,
  price,
  shownInstant,
  wholeNumber,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import type { ProductPart } from '../editor/save-section.ts';
import { type Item, ordinaryPrice } from '../product.tsx';

const amountOrNone = optional(price);
const CURRENCY_FIELD = /^(sale\.)?prices\.([A-Z]{3})$/;

/** The fields about the product itself. Which of them a form has depends on the product's type. */
const fields = {
  name: z.string().trim(),
  type: z.enum(['simple', 'virtual', 'downloadable']),
  status: z.enum(['active', 'inactive']),
  description: optionalLines,
  price,
  regular_price: amountOrNone,
  'sale.price': amountOrNone,
  'sale.starts_at': optionalInstant,
  'sale.ends_at': optionalInstant,
  stock: wholeNumber,
  inventory_policy: z.enum(['deny', 'continue', 'untracked']),
  sku: z.string().trim(),
  barcode: optionalText,
  vendor: optionalText,
  weight: optional(wholeNumber),
  tax_class: optionalText,
};

const SentFields = z.looseObject(fields).partial();

/** The form about the product itself, as a body of the API. */
export const GeneralFields = SentFields.transform(toValues);

/** Returns the API's fields of a form: prices by currency and the sale as objects. */
function toValues(sent: z.output<typeof SentFields>, context: z.RefinementCtx): Values {
  const { 'sale.price': salePrice, 'sale.starts_at': starts, 'sale.ends_at': ends, ...rest } = sent;
  const prices = { own: {} as Record<string, number>, sale: {} as Record<string, number> };
  let hasPrices = false;
  for (const [field, value] of Object.entries(rest)) {
    const [, sale, currency = ''] = CURRENCY_FIELD.exec(field) ?? [];
    if (!currency) continue;
    hasPrices ||= !sale;
    const read = amountOrNone.safeParse(value);
    if (!read.success) {
      context.addIssue({ code: 'custom', path: [field], message: read.error.issues[0]?.message ?? '' });
    } else if (read.data !== null) prices[sale ? 'sale' : 'own'][currency] = read.data;
  }
  const plain = Object.entries(rest).filter(([field]) => field in fields);
  return {
    ...Object.fromEntries(plain),
    ...(hasPrices && { prices: prices.own }),
    ...('sale.price' in sent && {
      sale: saleOf({ price: salePrice ?? null, prices: prices.sale, starts, ends }),
    }),
  };
}

interface SaleFields {
  readonly price: number | null;
  readonly prices: Readonly<Record<string, number>>;
  readonly starts: string | null | undefined;
  readonly ends: string | null | undefined;
}

/** Returns the API's sale of a form's fields; null if all of them are empty. */
function saleOf({ price, prices, starts, ends }: SaleFields) {
  const isEmpty = price === null && Object.keys(prices).length === 0 && !starts && !ends;
  if (isEmpty) return null;
  return {
    ...(price !== null && { price }),
    ...(Object.keys(prices).length > 0 && { prices }),
    starts_at: shownInstant(starts),
    ends_at: shownInstant(ends),
  };
}

/** Returns amounts in the tenant's currencies besides the main one: those that a form has fields for. */
export function inCurrencies(
  prices: Readonly<Record<string, number>> | undefined,
  currencies: readonly string[],
): Record<string, number> {
  const [, ...others] = currencies;
  return Object.fromEntries(Object.entries(prices ?? {}).filter(([currency]) => others.includes(currency)));
}

/** Returns the sale of a product or variant as {@link saleOf} returns it. */
export const shownSale = (sale: Item['sale'], currencies: readonly string[]) =>
  sale
    ? saleOf({
        price: sale.price ?? null,
        prices: inCurrencies(sale.prices, currencies),
        starts: sale.starts_at,
        ends: sale.ends_at,
      })
    : null;

/** The parts of the form about the product itself. */
export const generalParts = (currencies: readonly string[]): readonly ProductPart[] => [
  { key: 'name', label: 'Name', of: ({ name }) => name.trim() },
  { key: 'type', label: 'Type' },
  { key: 'status', label: 'Status' },
  {
    key: 'description',
    label: 'Description',
    of: ({ description }) => normalText(description ?? '') || null,
  },
  { key: 'price', label: 'Price', of: ordinaryPrice },
  {
    key: 'prices',
    label: 'Prices in other currencies',
    of: ({ prices }) => inCurrencies(prices, currencies),
  },
  { key: 'regular_price', label: 'Regular price' },
  { key: 'sale', label: 'Sale', of: ({ sale }) => shownSale(sale, currencies) },
  { key: 'stock', label: 'Stock' },
  { key: 'inventory_policy', label: 'Stock policy' },
  { key: 'sku', label: 'SKU' },
  { key: 'barcode', label: 'Barcode', of: ({ barcode }) => barcode ?? null },
  { key: 'vendor', label: 'Vendor', of: ({ vendor }) => vendor ?? null },
  { key: 'weight', label: 'Weight' },
  { key: 'tax_class', label: 'Tax class', of: ({ tax_class }) => tax_class ?? null },
];
