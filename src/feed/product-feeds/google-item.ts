import { htmlToText } from '../../kernel/text/html-text.ts';
import { beginningOf, firstOf, lengthOf } from '../../kernel/text/text.ts';
import { asUri } from '../../kernel/text/uri.ts';
import { pricesOf } from './google-prices.ts';
import { gtinOf } from './gtin.ts';
import { type ProductRow, parsed } from './product-rows.ts';

/**
 * The attributes of an item in the order of the files: Google Merchant Center's product data specification
 * (https://support.google.com/merchants/answer/7052112).
 */
export const ATTRIBUTES = [
  'id',
  'title',
  'description',
  'link',
  'image_link',
  'additional_image_link',
  'availability',
  'price',
  'sale_price',
  'sale_price_effective_date',
  'brand',
  'gtin',
  'mpn',
  'identifier_exists',
  'item_group_id',
  'color',
  'size',
  'product_type',
  'shipping_weight',
] as const;
/** One of {@link ATTRIBUTES}. */
export type Attribute = (typeof ATTRIBUTES)[number];

/** An item's attributes; those without a value are absent. Only `additional_image_link` is repeated. */
export type GoogleItem = Readonly<Partial<Record<Attribute, string | readonly string[]>>>;

/** Why Google would refuse an item. */
export interface Problem {
  readonly attribute: Attribute | 'type';
  readonly reason: string;
}

/** The properties that all items of a tenant share. */
export interface FeedShop {
  readonly name: string;
  readonly currency: string;
  /** `settings.feeds.product_url`; null if it is not set. */
  readonly productUrl: string | null;
}

/** An item, or why it is left out. */
type ItemResult =
  | { readonly item: GoogleItem }
  | { readonly problems: readonly [Problem, ...(readonly Problem[])] };

/** The largest values: characters, and kilograms. */
const MAX = {
  title: 150,
  description: 5_000,
  url: 2_000,
  brand: 70,
  mpn: 70,
  color: 100,
  size: 100,
  product_type: 750,
  images: 10,
  kilograms: 1_000,
} as const;

/** The product types that a feed leaves out, with the reason. */
const UNSUPPORTED: Readonly<Record<string, string>> = {
  grouped: 'A grouped product is not sold itself: its members have rows of their own.',
  booking: 'Google takes no bookings or services.',
};

/** Returns the item of a row, or every reason why Google would refuse it. */
export function toGoogleItem(row: ProductRow, shop: FeedShop): ItemResult {
  const unsupported = UNSUPPORTED[row.type];
  if (unsupported !== undefined) return { problems: [{ attribute: 'type', reason: unsupported }] };
  const link = linkOf(row, shop.productUrl);
  const description = cut(htmlToText(row.description ?? ''), MAX.description);
  const [image, ...others] = imagesOf(row);
  const price = pricesOf(row, shop.currency);
  const [first, ...rest] = [
    ...(description === '' ? [problem('description', 'It is missing.')] : []),
    ...linkProblems(link),
    ...imageProblems(image),
    ...(price === null ? [problem('price', `There is no price above 0 in ${shop.currency}.`)] : []),
  ];
  if (first) return { problems: [first, ...rest] };
  const identifiers = identifiersOf(row);
  const item = {
    id: String(row.id),
    title: titleOf(row),
    description,
    link,
    image_link: image,
    additional_image_link: others.filter((url) => url.length <= MAX.url).slice(0, MAX.images),
    availability: row.in_stock === 1 ? 'in_stock' : 'out_of_stock',
    ...price,
    ...identifiers,
    item_group_id: row.variant_id === null ? null : String(row.product_id),
    ...optionsOf(row),
    product_type: within(row.category_path, MAX.product_type),
    shipping_weight: weightOf(row),
  };
  return { item: present(item) };
}

const problem = (attribute: Attribute, reason: string): Problem => ({ attribute, reason });

/** Returns the attributes that have a value. */
const present = (item: Readonly<Record<string, string | readonly string[] | null | undefined>>): GoogleItem =>
  Object.fromEntries(
    ATTRIBUTES.flatMap((name) => {
      const value = item[name];
      return value === undefined || value === null || value.length === 0 ? [] : [[name, value]];
    }),
  );

/** Returns the first `most` characters of a text at most, and no half of one as people see it. */
const cut = (text: string, most: number): string => beginningOf(text, firstOf(text, most).length);

const within = (text: string | null | undefined, most: number): string | null =>
  typeof text === 'string' && lengthOf(text) <= most ? text : null;

/** Returns the name with the options of a variant: "Jersey - L / Forest". A long name gives way to the options. */
function titleOf({ name, options }: ProductRow): string {
  const values = options === null ? [] : Object.values(parsed<Record<string, string>>(options));
  const ending = values.length > 0 ? ` - ${values.join(' / ')}` : '';
  const beginning = cut(name, Math.max(MAX.title - lengthOf(ending), MAX.title / 2)).trimEnd();
  return cut(`${beginning}${ending}`, MAX.title);
}

/** Returns the page of a row's product in the shop; null without a template. */
function linkOf({ id, product_id, slug }: ProductRow, template: string | null): string | null {
  if (template === null) return null;
  const values: Readonly<Record<string, string>> = { slug, id: `${product_id}`, variant_id: `${id}` };
  return asUri(template.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? '')));
}

function linkProblems(link: string | null): Problem[] {
  if (link === null) return [problem('link', 'The setting feeds.product_url is missing.')];
  return link.length > MAX.url ? [problem('link', `It has more than ${MAX.url} characters.`)] : [];
}

/** Returns the variant's image, if it has one, and the product's. */
const imagesOf = ({ image, images }: ProductRow): string[] => [
  ...new Set([...(image === null ? [] : [image]), ...parsed<string[]>(images)]),
];

function imageProblems(image: string | undefined): Problem[] {
  if (image === undefined) return [problem('image_link', 'There is no image.')];
  return image.length > MAX.url ? [problem('image_link', `It has more than ${MAX.url} characters.`)] : [];
}

/** Returns brand, GTIN and MPN. `identifier_exists` is `no` when Google could not identify the product. */
function identifiersOf({ vendor, barcode, attributes, sku }: ProductRow) {
  const brand = vendor === null ? null : cut(vendor, MAX.brand);
  const gtin = barcode === null ? null : gtinOf(barcode);
  const mpn = within(textOf(parsed<AttributeColumn>(attributes).mpn) ?? sku, MAX.mpn);
  const exists = gtin !== null || (brand !== null && mpn !== null);
  return { brand, gtin, mpn, identifier_exists: exists ? null : 'no' };
}

type AttributeColumn = Readonly<Record<string, string | readonly string[] | undefined>>;

const textOf = (value: AttributeColumn[string]): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** Returns colour and size: of the variant's options, else of the product's attributes. */
function optionsOf({ options, attributes }: ProductRow) {
  const entries = Object.entries(options === null ? {} : parsed<Record<string, string>>(options));
  const own: AttributeColumn = Object.fromEntries(
    entries.map(([name, value]) => [name.toLowerCase(), value]),
  );
  const common = parsed<AttributeColumn>(attributes);
  const color = own.color ?? own.colour ?? common.color ?? common.colour;
  // Google reads up to three colours, separated by slashes.
  const colors = typeof color === 'string' || color === undefined ? color : color.slice(0, 3).join('/');
  return { color: within(colors, MAX.color), size: within(textOf(own.size ?? common.size), MAX.size) };
}

/** The product types that are shipped with a weight of their own; a bundle weighs what is chosen of it. */
const WEIGHED: ReadonlySet<string> = new Set(['simple', 'configurable']);

const weightOf = ({ type, weight }: ProductRow): string | null =>
  weight !== null && WEIGHED.has(type) && weight > 0 && weight <= MAX.kilograms * 1_000
    ? `${weight} g`
    : null;
