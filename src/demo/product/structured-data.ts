import { htmlToText } from '../../kernel/text/html-text.ts';
import { clip } from '../../web/index.ts';
import type { Product, Variant } from './choice.ts';
import type { Offer } from './offer.ts';

const MAX_DESCRIPTION_LENGTH = 1_000;
const MAX_IMAGES = 8;

/** The product of a page as it is shown. */
interface ShownProduct {
  readonly product: Product;
  readonly variant: Variant | null;
  readonly offer: Offer;
  /** The page's address. */
  readonly url: string;
}

/** Returns a product in the terms of https://schema.org/Product, with the price and the stock that its page shows. */
export function productData({ product, variant, offer, url }: ShownProduct) {
  const { name, description, images, sku, vendor, currency } = product;
  const text = clip(htmlToText(description ?? ''), MAX_DESCRIPTION_LENGTH);
  const pictures = [...new Set([...(variant?.image ? [variant.image] : []), ...images])].slice(0, MAX_IMAGES);
  return {
    '@type': 'Product',
    name,
    ...(text && { description: text }),
    ...(pictures.length > 0 && { image: pictures }),
    sku: variant?.sku ?? sku,
    ...(vendor && { brand: { '@type': 'Brand', name: vendor } }),
    offers: {
      '@type': 'Offer',
      url,
      price: offer.price,
      priceCurrency: currency,
      ...(offer.endsAt && { priceValidUntil: offer.endsAt }),
      availability: `https://schema.org/${offer.canBuy ? 'InStock' : 'OutOfStock'}`,
    },
  };
}
