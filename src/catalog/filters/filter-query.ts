import { z } from '@hono/zod-openapi';
import { COMMA_LIST } from '../../kernel/openapi/comma-list.ts';
import { fold } from '../../kernel/text/fold.ts';
import { lengthOf } from '../../kernel/text/text.ts';
import { exponent } from '../../kernel/values/money.ts';
import { ON_SALE } from '../indexing/facet-index.ts';
import { MAX_ATTRIBUTE_VALUE_LENGTH, MAX_PRODUCT_ATTRIBUTE_NAME_LENGTH } from '../limits.ts';
import { PRODUCT_TYPES } from '../tables.ts';

/** Largest number of names that a list is filtered by, of alternatives for each, and of facets. */
const MAX_FILTER_NAMES = 10;
const MAX_FILTER_VALUES = 20;
const MAX_FACETS = 10;
/** The prefix of the query parameters that filter by an attribute. */
export const ATTRIBUTE_PREFIX = 'attr.';

/** Splits a comma-separated list. A backslash before a comma or a backslash makes it part of the value. */
function splitList(list: string): string[] {
  const values = [''];
  for (const [token] of list.matchAll(/\\[\\,]|./gs)) {
    if (token === ',') values.push('');
    else values.push(values.pop() + (token.length > 1 ? token.slice(1) : token));
  }
  return values.map((value) => value.trim());
}

/** Returns the message for invalid alternatives, or null. */
function listError(values: readonly string[], most = MAX_FILTER_VALUES): string | null {
  if (values.some((value) => value === '')) return 'must be a comma-separated list without empty values';
  if (values.length > most) return `must have at most ${most} values`;
  const isLong = values.some((value) => lengthOf(value) > MAX_ATTRIBUTE_VALUE_LENGTH);
  return isLong ? `must have values of at most ${MAX_ATTRIBUTE_VALUE_LENGTH} characters` : null;
}

/** Returns the schema of a comma-separated list, each value of which `error` accepts. */
export const list = (error: (value: string) => string | null = () => null, most = MAX_FILTER_VALUES) =>
  z.string().transform((text, context): string[] => {
    const values = splitList(text);
    const message = listError(values, most) ?? values.map(error).find((one) => one !== null) ?? null;
    if (message !== null) context.addIssue({ code: 'custom', message });
    return values;
  });

const commaList = (what: string) =>
  list().openapi({
    ...COMMA_LIST,
    type: 'string',
    description: `${what}: a comma-separated list of at most ${MAX_FILTER_VALUES} alternatives, compared without case and accents. A backslash makes a comma part of a value.`,
  });

const amount = (what: string) =>
  z
    .string()
    .regex(/^\d{1,13}(\.\d{1,4})?$/, 'must be an amount such as 19.90')
    .openapi({ type: 'number', minimum: 0, description: what });

const isTrue = z.enum(['true'], { error: 'must be true' });

const isType = (value: string) =>
  PRODUCT_TYPES.some((type) => type === value.toLowerCase())
    ? null
    : `must be a comma-separated list of ${PRODUCT_TYPES.join(', ')}`;

const isId = (value: string) =>
  /^0*[1-9]\d{0,14}$/.test(value) ? null : 'must be a comma-separated list of ids';

const PLAIN_FACETS = ['price', 'in_stock', 'type', 'vendor', 'tag', 'category'];

const attributeName = (name: string): string | null =>
  name.startsWith(ATTRIBUTE_PREFIX) ? name.slice(ATTRIBUTE_PREFIX.length) : null;

function isFacet(name: string): string | null {
  const attribute = attributeName(name);
  const isValid = attribute === null ? PLAIN_FACETS.includes(name) : isAttribute(attribute);
  return isValid ? null : `must be a comma-separated list of ${PLAIN_FACETS.join(', ')} and attr.<name>`;
}

const isAttribute = (name: string): boolean =>
  name.trim() !== '' && [...name].length <= MAX_PRODUCT_ATTRIBUTE_NAME_LENGTH;

/** The query parameters that filter a product list; those of attributes are beyond them. */
export const filterParams = {
  price_min: amount('Lowest price, in the currency of the list.').optional(),
  price_max: amount('Highest price, in the currency of the list.').optional(),
  in_stock: isTrue
    .optional()
    .openapi({ type: 'boolean', enum: [true], description: 'Only what can be bought now.' }),
  stock: z.enum(['low', 'out']).optional().openapi({
    description: `By the whole product: \`out\`: none can be sold; \`low\`: it needs stock, and at least 1 but at most the tenant's \`low_stock_threshold\` are left.`,
  }),
  on_sale: isTrue
    .optional()
    .openapi({ type: 'boolean', enum: [true], description: 'Only products on sale.' }),
  type: list(isType)
    .optional()
    .openapi({
      ...COMMA_LIST,
      type: 'string',
      description: `Comma-separated list of ${PRODUCT_TYPES.map((type) => `\`${type}\``).join(', ')}.`,
    }),
  vendor: commaList('Vendors').optional(),
  tag: commaList('Tags').optional(),
  category_id: list(isId)
    .transform((values) => values.map(Number))
    .optional()
    .openapi({
      ...COMMA_LIST,
      type: ['integer', 'string'],
      minimum: 1,
      pattern: '^\\d+(,\\d+)*$',
      description: `Ids of at most ${MAX_FILTER_VALUES} categories, comma-separated: includes products of each and of its descendants.`,
    }),
  facets: list(isFacet, MAX_FACETS)
    .optional()
    .openapi({
      ...COMMA_LIST,
      type: 'string',
      description: `Comma-separated list of at most ${MAX_FACETS} of ${PLAIN_FACETS.map((name) => `\`${name}\``).join(', ')} and \`attr.<name>\`: what \`meta.facets\` counts. A facet counts products as if its own filter were not set, with all others applied.`,
    }),
};

/** The query parameters that filter by attributes, of products and of variants. */
export const ATTRIBUTE_FILTERS = {
  prefix: ATTRIBUTE_PREFIX,
  description: `Filters by attributes, of products or of variants: \`attr.color=Black,Red&attr.size=M\`. Each is a comma-separated list of at most ${MAX_FILTER_VALUES} alternatives, compared without case and accents. One variant must meet all filters by attributes, price, stock and sale. A list takes at most ${MAX_FILTER_NAMES} filters in all.`,
};

/** The query parameters of {@link filterParams}, validated, and further ones. */
type FilterQuery = z.output<z.ZodObject<typeof filterParams>> & Readonly<Record<string, unknown>>;

/** The filters of a product list: a product must match every name, each with one of its alternatives. */
export interface Filters {
  /** Folded alternatives by name, as `item_facets` holds them. */
  readonly values: readonly (readonly [name: string, values: readonly string[]])[];
  readonly categoryIds: readonly number[];
  /** Lowest and highest price in minor units, or null for no bound. */
  readonly price: { readonly min: number | null; readonly max: number | null } | null;
  readonly inStock: boolean;
  readonly stock?: 'low' | 'out' | undefined;
}

/** A facet to count. */
export interface FacetRequest {
  /** The name in the response, as it was asked for. */
  readonly key: string;
  /** The name in `item_facets`, or `price`, `in_stock` or `category`. */
  readonly name: string;
}

/** Returns the filter parameters by attributes of a query. */
const attributeParams = (query: Readonly<Record<string, unknown>>): [name: string, value: unknown][] =>
  Object.entries(query).filter(([name]) => name.startsWith(ATTRIBUTE_PREFIX));

/** Returns the number of minor units of an amount, rounded up or down where it has more decimals. */
function minorUnits(text: string, currency: string, round: (amount: number) => number): number {
  const [whole = '', fraction = ''] = text.split('.');
  const decimals = exponent(currency);
  const shown = Number(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return shown + (/[1-9]/.test(fraction.slice(decimals)) ? round(0.5) : 0);
}

/** Checks the filters of a query together: names, their number, and the attributes. */
export function checkFilters(query: FilterQuery, context: z.RefinementCtx<FilterQuery>): void {
  const refuse = (name: string, message: string) =>
    context.addIssue({ code: 'custom', message, path: [name] });
  const attributes = attributeParams(query);
  const folded = new Set<string>();
  for (const [name, value] of attributes) {
    const attribute = name.slice(ATTRIBUTE_PREFIX.length);
    const message =
      typeof value === 'string' ? listError(splitList(value)) : 'must be a comma-separated list, given once';
    if (!isAttribute(attribute)) refuse(name, 'must name an attribute');
    else if (message !== null) refuse(name, message);
    else if (folded.has(fold(attribute))) refuse(name, 'must not repeat an attribute');
    folded.add(fold(attribute));
  }
  const { price_min, price_max } = query;
  if (price_min !== undefined && price_max !== undefined && Number(price_min) > Number(price_max))
    refuse('price_max', 'must not be below price_min');
  const plain = ['in_stock', 'stock', 'on_sale', 'type', 'vendor', 'tag', 'category_id'];
  const given = [
    ...(price_min === undefined && price_max === undefined ? [] : ['price_min']),
    ...plain.filter((name) => query[name] !== undefined),
    ...attributes.map(([name]) => name),
  ];
  const extra = given[MAX_FILTER_NAMES];
  if (extra !== undefined) refuse(extra, `is one filter too many: at most ${MAX_FILTER_NAMES} names`);
}

const foldedList = (values: readonly string[]): string[] => [...new Set(values.map(fold))].sort();

/** Returns the filters of a valid query, for prices in `currency`. */
export function filtersOf(query: FilterQuery, currency: string): Filters {
  const { type, vendor, tag, price_min: min, price_max: max } = query;
  const values = Object.entries({ type, vendor, tag }).flatMap(([name, given]) =>
    given ? [[name, foldedList(given)] as const] : [],
  );
  const attributes = attributeParams(query).map(
    ([name, value]) =>
      [
        ATTRIBUTE_PREFIX + fold(name.slice(ATTRIBUTE_PREFIX.length)),
        foldedList(splitList(String(value))),
      ] as const,
  );
  return {
    values: [...values, ...attributes, ...(query.on_sale ? [[ON_SALE, [currency]] as const] : [])],
    categoryIds: [...new Set(query.category_id)],
    price:
      min === undefined && max === undefined
        ? null
        : {
            min: min === undefined ? null : minorUnits(min, currency, Math.ceil),
            max: max === undefined ? null : minorUnits(max, currency, Math.floor),
          },
    inStock: query.in_stock !== undefined,
    stock: query.stock,
  };
}

/** Returns the facets that a valid query asks for, each once. */
export function facetsOf({ facets = [] }: FilterQuery): FacetRequest[] {
  const requests = facets.map((key) => {
    const attribute = attributeName(key);
    return { key, name: attribute === null ? key : ATTRIBUTE_PREFIX + fold(attribute) };
  });
  return [...new Map(requests.toReversed().map((one) => [one.name, one])).values()].toReversed();
}
