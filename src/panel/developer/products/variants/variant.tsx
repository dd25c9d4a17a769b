import { z } from 'zod';
import { ownEntry } from '../../../../kernel/core/records.ts';
import { amountText } from '../../../../kernel/values/money.ts';
import {
  asFormError,
  Field,
  type Filled,
  type Outcome,
  type Page,
  type PageRequest,
} from '../../../../web/index.ts';
import type { Values } from '../../../editing/changes.ts';
import { Thumbnail } from '../../../pictures.tsx';
import { type ProductPart, saveSection } from '../editor/save-section.ts';
import { type Section, sectionPages } from '../editor/section.tsx';
import {
  explainedAmount,
  type Item,
  isOnSaleNow,
  ordinaryPrice,
  pricesAsRead,
  type Variant,
} from '../product.tsx';
import { Barcode, Weight } from '../sections/general-fields.tsx';
import { GeneralFields, inCurrencies, shownSale } from '../sections/general-form.ts';
import { OtherPrices, SaleFields } from '../sections/price-fields.tsx';
import { pictureKey } from './grid.tsx';

/** Pictures that a variant can be given. */
const MAX_PICTURES = 24;

/** The form of one variant: the product's fields that variants have too, its values and its picture. */
const Fields = z.looseObject({ image: z.string().optional() }).transform((form, context): Values => {
  const { image, ...rest } = form;
  const own = GeneralFields.safeParse(rest);
  for (const issue of own.error?.issues ?? []) context.addIssue({ ...issue, code: 'custom' });
  const options = Object.entries(rest).filter(([field]) => /^option\d+$/.test(field));
  const values = options.map(([field, value]) => [field, String(value).trim()] as const);
  return { ...own.data, ...Object.fromEntries(values), ...(image !== undefined && { image }) };
});

const variantFor = (request: PageRequest, { variants = [] }: Item): Variant | null =>
  variants.find(({ id }) => String(id) === request.param('variant')) ?? null;

const REMOVED = 'This variant was removed.';

const missing = (request: PageRequest, product: Item) =>
  variantFor(request, product) ? null : asFormError(REMOVED, 404);

/** Returns the parts of a variant; all are null once it is gone. */
function partsOf(request: PageRequest, product: Item): readonly ProductPart[] {
  const { currencies } = request.tenant;
  const part = (
    key: string,
    label: string,
    of: (variant: Variant, current: Item) => unknown,
  ): ProductPart => ({
    key,
    label,
    of: (current) => {
      const variant = variantFor(request, current);
      return variant && of(variant, current);
    },
  });
  return [
    part('sku', 'SKU', ({ sku }) => sku),
    part('price', 'Price', ordinaryPrice),
    part('regular_price', 'Regular price', ({ regular_price }) => regular_price),
    part('prices', 'Prices in other currencies', ({ prices }) => inCurrencies(prices, currencies)),
    part('sale', 'Sale', ({ sale }) => shownSale(sale, currencies)),
    part('stock', 'Stock', ({ stock }) => stock),
    part('barcode', 'Barcode', ({ barcode }) => barcode ?? null),
    part('weight', 'Weight', ({ weight }) => weight),
    part('image', 'Picture', ({ image }) => pictureKey(image)),
    ...product.options.map(({ name }, n) =>
      part(
        `option${n}`,
        name,
        ({ attributes }, { options }) => ownEntry(attributes, options[n]?.name ?? '') ?? '',
      ),
    ),
  ];
}

/** Returns all variants with the changed one. The API keeps what a variant leaves out. */
function patch(product: Item, changed: Values, request: PageRequest) {
  const { image, ...rest } = changed;
  const wanted = variantFor(request, product);
  const fields = Object.entries(rest).filter(([key]) => !key.startsWith('option'));
  const variants = (product.variants ?? []).map((variant) => {
    const { id, attributes } = variant;
    if (variant !== wanted) return { id, attributes, ...pricesAsRead(variant) };
    const isPriced = 'price' in rest || 'regular_price' in rest;
    const urls = [...product.images, ...(variant.image ? [variant.image] : [])];
    return {
      id,
      ...(isPriced ? { price: ordinaryPrice(variant) } : pricesAsRead(variant)),
      ...Object.fromEntries(fields),
      attributes: { ...attributes, ...changedOptions(product, rest) },
      ...(image !== undefined && { image: urls.find((url) => pictureKey(url) === image) ?? null }),
    };
  });
  return { variants };
}

/** Returns the changed values by their options' names. */
const changedOptions = ({ options }: Item, changed: Values): Record<string, string> =>
  Object.fromEntries(
    options.flatMap(({ name }, n) => {
      const value = changed[`option${n}`];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );

const save = (request: PageRequest, values: Values): Promise<Outcome> =>
  saveSection(request, {
    parts: (product) => partsOf(request, product),
    values,
    check: (product): Record<string, string[]> => (missing(request, product) ? { variant: [REMOVED] } : {}),
    patch: (product, changed) => patch(product, changed, request),
    fieldOf: (path) => path.replace(/^variants\.\d+\./, '').replace(/^attributes\b.*/, 'option0'),
  });

/** The pictures of the product as radio buttons. */
const PictureChoice = ({ f, product, variant }: { f: Filled; product: Item; variant: Variant }) => {
  const chosen = f.request.sent.image?.[0] ?? pictureKey(variant.image);
  const alts = new Map(product.media.map(({ url, alt }) => [url, alt]));
  const urls = [...new Set([...(variant.image ? [variant.image] : []), ...product.images])];
  return (
    <fieldset>
      <legend>Picture</legend>
      <div class="checks">
        <label>
          <input type="radio" name="image" value="" checked={chosen === ''} />
          <span>The product's</span>
        </label>
        {urls.slice(0, MAX_PICTURES).map((url, n) => (
          <label>
            <input type="radio" name="image" value={pictureKey(url)} checked={pictureKey(url) === chosen} />
            <Thumbnail url={url} alt={alts.get(url) ?? `Picture ${n + 1}`} />
          </label>
        ))}
      </div>
    </fieldset>
  );
};

const section: Section<typeof Fields> = {
  path: '/variants/:variant',
  tab: '/variants',
  submit: 'Save variant',
  form: Fields,
  missing,
  parts: partsOf,
  save,
  fields: ({ f, product, tenant }) => {
    const variant = variantFor(f.request, product);
    if (!variant) return null;
    const [main = '', ...others] = tenant.currencies;
    return (
      <>
        <h2>{variant.name}</h2>
        <div class="pair">
          {product.options.map(({ name }, n) => (
            <Field
              f={f}
              name={`option${n}`}
              label={name}
              value={ownEntry(variant.attributes, name)}
              required
            />
          ))}
          <Field f={f} name="sku" label="SKU" value={variant.sku} required maxlength={64} />
          <Field
            f={f}
            name="price"
            label={`Price (${main})`}
            value={amountText(ordinaryPrice(variant), main)}
            required
            attributes={explainedAmount(main)}
          />
          {!isOnSaleNow(variant) && (
            <Field
              f={f}
              name="regular_price"
              label={`Regular price (${main})`}
              value={amountText(variant.regular_price, main)}
              hint="Shown struck through. Leave empty for none"
              attributes={explainedAmount(main)}
            />
          )}
          <OtherPrices f={f} currencies={others} prices={variant.prices} />
          <Field
            f={f}
            name="stock"
            label="Stock"
            type="number"
            value={variant.stock}
            required
            attributes={{ min: 0 }}
          />
          <Barcode f={f} value={variant.barcode} />
          <Weight f={f} value={variant.weight} hint="Leave empty for the product's" />
        </div>
        <SaleFields f={f} sale={variant.sale} currencies={tenant.currencies} />
        <PictureChoice f={f} product={product} variant={variant} />
      </>
    );
  },
};

/** The page of one variant, with every field that a variant has. */
export const singleVariantPages: readonly Page[] = sectionPages(section);
