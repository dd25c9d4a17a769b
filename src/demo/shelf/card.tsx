import { formatMoney, type Schemas } from '../../../client/src/index.ts';
import { clip } from '../../web/index.ts';
import { conjunction } from '../frame/titled.ts';

/** A product as lists have it. */
export type ListItem = Schemas['ProductListItem'];
type Image = ListItem['media'][number];

const MAX_NAME_LENGTH = 60;
const MAX_CHOICE_LENGTH = 60;

/** The widths that the API makes copies of uploaded images in, in pixels. */
const COPIES = { 80: [160, 160], 240: [320, 640], 600: [640, 1280] } as const;

interface PictureProps {
  readonly of: Image | undefined;
  readonly alt: string;
  /** The width that it is shown in, in CSS pixels. */
  readonly size: keyof typeof COPIES;
  /** Whether it is in view at once. */
  readonly eager?: boolean;
}

/** A square picture, whose place is kept while it loads. Uploaded ones come in a fitting size. */
export const Picture = ({ of: image, alt, size, eager = false }: PictureProps) => {
  if (!image) return <span class="picture" aria-hidden="true"></span>;
  const [plain, dense] = COPIES[size];
  const copies =
    image.width === null
      ? { src: image.url }
      : { src: `${image.url}?w=${plain}`, srcset: `${image.url}?w=${dense} 2x` };
  return (
    <img
      class="picture"
      {...copies}
      alt={alt}
      width={size}
      height={size}
      loading={eager ? undefined : 'lazy'}
      fetchpriority={eager ? 'high' : undefined}
      decoding="async"
    />
  );
};

interface AmountsProps {
  readonly price: number;
  /** The price before a reduction, or null. */
  readonly before: number | null;
  readonly currency: string;
  /** Whether it is a sale's; by default with a price before. */
  readonly reduced?: boolean;
}

/** A price and the one before it. */
export const Amounts = ({ price, before, currency, reduced = before !== null }: AmountsProps) => (
  <>
    <span class={reduced ? 'sale' : undefined}>
      {before !== null && <span class="hidden">Now </span>}
      {formatMoney(price, currency, 'en')}
    </span>
    {before !== null && (
      <>
        {' '}
        <s>
          <span class="hidden">Before </span>
          {formatMoney(before, currency, 'en')}
        </s>
      </>
    )}
  </>
);

/** A product's price, or the lowest of its variants; with the price before a reduction. */
const Price = ({ of: product }: { of: ListItem }) => {
  const { price, price_range: range, currency, on_sale, regular_price } = product;
  const from = range.min < range.max;
  const before = on_sale && !from ? regular_price : null;
  return (
    <p class="price">
      {from && <span class="soft">from </span>}
      <Amounts price={from ? range.min : price} before={before} currency={currency} reduced={on_sale} />
    </p>
  );
};

/** Says that a product is sold out or reduced. */
export const Badge = ({ of: { in_stock, on_sale } }: { of: Pick<ListItem, 'in_stock' | 'on_sale'> }) => {
  if (!in_stock) return <span class="badge">Sold out</span>;
  return on_sale ? <span class="badge deal">Sale</span> : null;
};

/** Returns what is to be chosen of a product with options: "Choose color and size". Empty without a choice. */
function choiceOf({ options }: ListItem): string {
  const open = options.filter(({ values }) => values.length > 1);
  return open.length > 0 ? `Choose ${conjunction(open.map(({ name }) => name.replaceAll('_', ' ')))}` : '';
}

const Card = ({ product, eager }: { product: ListItem; eager: boolean }) => {
  const choice = choiceOf(product);
  return (
    <li class="card">
      <Picture of={product.media[0]} alt="" size={240} eager={eager} />
      <Badge of={product} />
      <h3 dir="auto">
        <a href={`/demo/products/${product.id}`}>{clip(product.name, MAX_NAME_LENGTH)}</a>
      </h3>
      <Price of={product} />
      {choice && (
        <p class="soft" dir="auto">
          {clip(choice, MAX_CHOICE_LENGTH)}
        </p>
      )}
    </li>
  );
};

/** Products as cards. The pictures of the first row load at once where the list is the page's first. */
export const Cards = ({ of: products, first = false }: { of: readonly ListItem[]; first?: boolean }) => (
  <ul class="cards">
    {products.map((product, at) => (
      <Card product={product} eager={first && at < 4} />
    ))}
  </ul>
);
