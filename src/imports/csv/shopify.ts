import {
  MAX_ALT_LENGTH,
  MAX_DESCRIPTION_LENGTH,
  MAX_IMAGES,
  MAX_NAME_LENGTH,
  MAX_SEO_DESCRIPTION_LENGTH,
  MAX_SEO_TITLE_LENGTH,
  MAX_SLUG_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TAGS,
  MAX_VARIANTS,
  MAX_VENDOR_LENGTH,
} from '../../catalog/index.ts';
import { POLICIES, type Policy } from '../../inventory/index.ts';
import { cutSlug, foldedSlug, slugify } from '../../kernel/text/fold.ts';
import { lengthOf, looksEmpty } from '../../kernel/text/text.ts';
import { type CellSource, CsvRow, type LineError, quoted, type Row } from './csv-row.ts';
import { deriveSku } from './sku.ts';
import { hasVariant, type MappedVariant, mapVariants, namesOptions } from './variants.ts';

/** Fields of a product of which a file need not have columns: those that it lacks keep their stored values. */
interface NamedFields {
  /** What the variants are. */
  readonly options: boolean;
  /** Whether the product ships. */
  readonly shipping: boolean;
  /** Whether its stock is counted, and whether it is sold without stock. */
  readonly tracker: boolean;
  readonly policy: boolean;
}

/**
 * A product mapped from its lines in a Shopify product CSV. `undefined`: the file has no such column, so the
 * stored value stays. Amounts are minor units of the tenant's currency.
 */
export interface MappedProduct {
  readonly line: number;
  /** Identifies the product across imports. */
  readonly slug: string;
  readonly sku: string;
  readonly name: string;
  readonly type: 'simple' | 'configurable' | 'virtual';
  readonly status: 'active' | 'inactive' | undefined;
  readonly description: string | null | undefined;
  readonly vendor: string | null | undefined;
  readonly tags: readonly string[] | undefined;
  /** Category names from the root down, as many as the file has; `null`: none. */
  readonly categoryPath: readonly string[] | null | undefined;
  readonly images: readonly string[] | undefined;
  /** Alternative texts by image URL, `null` for none. */
  readonly imageAlts: ReadonlyMap<string, string | null> | undefined;
  readonly seo: { readonly title: string; readonly description: string } | null | undefined;
  readonly policy: Policy | undefined;
  /** The one variant of a simple or virtual product; at least one of a configurable one, in order. */
  readonly variants: readonly [MappedVariant, ...MappedVariant[]];
  readonly names: NamedFields;
  /** Whether `variants` has every variant of the file: if not, no stored variant may be deleted. */
  readonly complete: boolean;
}

/** A product, or `null` if its lines are invalid; and at most one error for each line. */
interface Mapped {
  readonly product: MappedProduct | null;
  readonly errors: readonly LineError[];
}

/** Maps the lines of one Handle. Pure: doesn't read stored products. */
export function mapProduct(rows: readonly Row[], source: CellSource, currency: string): Mapped {
  const lines = rows.map((row) => new CsvRow(row, source));
  const head = lines.find((line) => !line.isBlank('title')) ?? lines[0];
  if (!head) return { product: null, errors: [] };
  if (head.isBlank('title')) return untitled(lines);
  const slug = slugOf(head, source);
  const own = ownFields(head);
  const images = head.has('image') ? imagesOf(lines) : undefined;
  const imageAlts = head.has('imageAlt') ? altsOf(lines) : undefined;
  const variantLines = lines.filter((line) => line === head || hasVariant(line));
  atMost(head, images ?? [], { max: MAX_IMAGES, items: 'images' });
  atMost(head, variantLines, { max: MAX_VARIANTS, items: 'variants' });
  const isInvalid = head.failed;
  const [first, ...others] = mapVariants(variantLines, { slug, currency });
  const errors = lines.flatMap((line) => line.errors);
  if (isInvalid || !first) return { product: null, errors };
  const variants = [first, ...others] as const;
  const hasOptions = Object.keys(first.attributes).length > 0;
  const several = hasOptions && variantLines.length > 1;
  const ships = variants.some((variant) => variant.ships) && !head.flag('giftCard', 'Gift Card', false);
  // A product with several variants is configurable even if it doesn't ship.
  const isVirtual = !ships && !several;
  const typeIfShipped = hasOptions ? 'configurable' : 'simple';
  const type = isVirtual ? 'virtual' : typeIfShipped;
  const product: MappedProduct = {
    line: head.number,
    slug,
    sku: type === 'configurable' ? deriveSku(slug) : first.sku,
    type,
    ...own,
    images,
    imageAlts,
    // The strictest policy applies to the whole product, so that nothing is oversold.
    policy: POLICIES.find((policy) => variants.some((variant) => variant.policy === policy)),
    variants,
    names: namesOf(head),
    complete: variants.length === variantLines.length,
  };
  return { product, errors };
}

const NO_TITLE =
  'The Title is missing: the line of this product that has it could not be read, or is not next to this one.';

/** Fails all lines: that with the product's Title, and what else they lack, is elsewhere in the file or unreadable. */
function untitled(lines: readonly CsvRow[]): Mapped {
  for (const line of lines) line.fail(NO_TITLE, 'title');
  return { product: null, errors: lines.flatMap((line) => line.errors) };
}

const namesOf = (head: CsvRow): NamedFields => ({
  options: namesOptions(head),
  shipping: head.has('ships') || head.has('giftCard'),
  tracker: head.has('tracker'),
  policy: head.has('policy'),
});

/** Fails the product if a list is longer than allowed. */
function atMost(
  head: CsvRow,
  list: readonly unknown[],
  { max, items }: { readonly max: number; readonly items: string },
): void {
  if (list.length > max) head.fail(`The product has ${list.length} ${items}, at most ${max} are allowed.`);
}

/** Returns a Handle as it is written, its slug without accents, and its slugs of earlier releases. */
const spellingsOf = (handle: string) => [handle, slugify(handle), cutSlug(handle), foldedSlug(handle)];

/** Returns the slug of the product that is stored under one of a Handle's spellings; else its slug without accents. */
export function slugOfHandle(handle: string, { slugs }: Pick<CellSource, 'slugs'>): string {
  const own = handle.trim().toLowerCase();
  return spellingsOf(own).find((slug) => slugs.has(slug)) ?? slugify(own);
}

/** Returns the slugs that a Handle may be stored under; none if it can only be stored under itself. */
export function slugsOfHandle(handle: string): readonly string[] {
  const all = new Set(spellingsOf(handle));
  return all.size > 1 ? [...all] : [];
}

function slugOf(head: CsvRow, source: CellSource): string {
  const handle = head.text('handle', 'The Handle', MAX_SLUG_LENGTH);
  const slug = slugOfHandle(handle, source);
  if (slug === '') head.fail(`The Handle ${quoted(handle)} has neither letters nor digits.`, 'handle');
  return slug;
}

/** Maps the fields of a product's head line. */
function ownFields(head: CsvRow) {
  const name = head.line('title', 'The Title', MAX_NAME_LENGTH);
  const description = head.raw('body');
  if (lengthOf(description) > MAX_DESCRIPTION_LENGTH)
    head.fail(`The description has more than ${MAX_DESCRIPTION_LENGTH} characters.`, 'body');
  head.flag('giftCard', 'Gift Card', false);
  return {
    name,
    status: statusOf(head),
    description: head.has('body') ? description || null : undefined,
    vendor: head.optional('vendor', 'The Vendor', MAX_VENDOR_LENGTH),
    tags: head.has('tags') ? tagsOf(head) : undefined,
    categoryPath: categoryPathOf(head),
    seo: seoOf(head),
  };
}

function statusOf(head: CsvRow): 'active' | 'inactive' | undefined {
  const status = head.raw('status').trim().toLowerCase();
  const published = head.flag('published', 'Published', true);
  if (!head.has('status') && !head.has('published')) return undefined;
  // Shopify hides unlisted products from lists and search; an active product would appear there.
  if (['draft', 'archived', 'unlisted'].includes(status)) return 'inactive';
  if (status !== '' && status !== 'active') {
    head.fail(`The Status is ${quoted(status)}; it must be active, draft or archived.`, 'status');
  }
  return published ? 'active' : 'inactive';
}

/** Returns the tags of a comma-separated list, each once. */
export const splitTags = (list: string): string[] => [
  ...new Set(
    list
      .split(',')
      .map((tag) => tag.trim())
      .filter((tag) => !looksEmpty(tag)),
  ),
];

function tagsOf(head: CsvRow): string[] {
  const own = splitTags(head.raw('tags'));
  if (own.some((tag) => lengthOf(tag) > MAX_TAG_LENGTH))
    head.fail(`A tag has more than ${MAX_TAG_LENGTH} characters.`, 'tags');
  head.checkLines(own, 'A tag', 'tags');
  atMost(head, own, { max: MAX_TAGS, items: 'tags' });
  return own;
}

/** Matches an id of Shopify's taxonomy instead of a name: "gid://shopify/…", "aa-1-13". */
const TAXONOMY_ID = /^(gid:.*|[a-z]{2}(-\d+)+)$/;
/** Matches an id of the former taxonomy ("499972"), or a name of digits in an exported file, which has no Type. */
const DIGITS = /^\d+$/;

function categoryPathOf(head: CsvRow): string[] | null | undefined {
  if (!head.has('category') && !head.has('productType')) return undefined;
  const category = head.raw('category').trim();
  const isId = TAXONOMY_ID.test(category) || (DIGITS.test(category) && head.has('productType'));
  const known = category !== '' && category.toLowerCase() !== 'uncategorized' && !isId;
  const names = known ? category.split(/\s>\s/) : [head.raw('productType')];
  const path = names.map((name) => name.trim()).filter((name) => !looksEmpty(name));
  const column = known ? 'category' : 'productType';
  if (path.some((name) => lengthOf(name) > MAX_NAME_LENGTH))
    head.fail(`A category has more than ${MAX_NAME_LENGTH} characters.`, column);
  head.checkLines(path, 'A category', column);
  return path.length > 0 ? path : null;
}

function seoOf(head: CsvRow): MappedProduct['seo'] {
  if (!head.has('seoTitle') && !head.has('seoDescription')) return undefined;
  const title = head.text('seoTitle', 'The SEO Title', MAX_SEO_TITLE_LENGTH);
  const description = head.text('seoDescription', 'The SEO Description', MAX_SEO_DESCRIPTION_LENGTH);
  return title || description ? { title, description } : null;
}

/** Returns the distinct images of all lines, ordered by position; those without a position come last. */
function imagesOf(lines: readonly CsvRow[]): string[] {
  const placed = lines.flatMap((line) => {
    const url = line.image('image');
    const place = /^\s*(\d+)(?:\.0+)?\s*$/.exec(line.raw('imagePosition'))?.[1];
    return url === null ? [] : [{ url, place: place ? Number(place) : Number.MAX_SAFE_INTEGER }];
  });
  return [...new Set(placed.sort((a, b) => a.place - b.place).map(({ url }) => url))];
}

/** Returns the alternative text of each image, `null` for none. The first text of an image counts. */
function altsOf(lines: readonly CsvRow[]): Map<string, string | null> {
  const alts = new Map<string, string | null>();
  for (const line of lines) {
    const url = line.imageUrl('image');
    const alt = line.text('imageAlt', 'The Image Alt Text', MAX_ALT_LENGTH);
    if (url !== null) alts.set(url, alts.get(url) ?? (alt || null));
  }
  return alts;
}
