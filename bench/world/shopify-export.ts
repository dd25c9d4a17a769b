/** Every column of Shopify's product export, in its order, with the ones of two markets and of a metafield. */
export const SHOPIFY_COLUMNS = [
  ...['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Product Category', 'Type', 'Tags', 'Published'],
  ...[
    'Option1 Name',
    'Option1 Value',
    'Option1 Linked To',
    'Option2 Name',
    'Option2 Value',
    'Option2 Linked To',
  ],
  ...['Option3 Name', 'Option3 Value', 'Option3 Linked To', 'Variant SKU', 'Variant Grams'],
  ...['Variant Inventory Tracker', 'Variant Inventory Qty', 'Variant Inventory Policy'],
  ...[
    'Variant Fulfillment Service',
    'Variant Price',
    'Variant Compare At Price',
    'Variant Requires Shipping',
  ],
  ...[
    'Variant Taxable',
    'Unit Price Total Measure',
    'Unit Price Total Measure Unit',
    'Unit Price Base Measure',
  ],
  ...['Unit Price Base Measure Unit', 'Variant Barcode', 'Image Src', 'Image Position', 'Image Alt Text'],
  ...['Gift Card', 'SEO Title', 'SEO Description', 'Google Shopping / Google Product Category'],
  ...['Google Shopping / Gender', 'Google Shopping / Age Group', 'Google Shopping / MPN'],
  ...['Google Shopping / Condition', 'Google Shopping / Custom Product', 'Google Shopping / Custom Label 0'],
  ...[
    'Google Shopping / Custom Label 1',
    'Google Shopping / Custom Label 2',
    'Google Shopping / Custom Label 3',
  ],
  ...[
    'Google Shopping / Custom Label 4',
    'Color (product.metafields.shopify.color-pattern)',
    'Variant Image',
  ],
  ...['Variant Weight Unit', 'Variant Tax Code', 'Cost per item', 'Included / Germany', 'Price / Germany'],
  ...['Compare At Price / Germany', 'Included / International', 'Price / International'],
  ...['Compare At Price / International', 'Status'],
] as const;

type Line = Partial<Record<(typeof SHOPIFY_COLUMNS)[number], string>>;

const COLOURS = ['Cream', 'Grün', 'Midnight, deep', '"Rust"', 'Blau'];
const SIZES = ['S', 'M', 'L'];

/** Returns how many variants and images the product `n` has: 1 to 15 lines. */
const shapeOf = (n: number) => ({
  colours: n % 3 === 0 ? 0 : 1 + (n % COLOURS.length),
  sizes: n % 2 === 0 ? 1 : SIZES.length,
  images: n % 4,
});

/** Returns the lines of a product: the first with its own fields, then one for each further variant or image. */
function linesOf(n: number): Line[] {
  const { colours, sizes, images } = shapeOf(n);
  const handle = `shopify-${n}`;
  const variants =
    colours === 0
      ? [variantLine(n, 'Title', 'Default Title')]
      : COLOURS.slice(0, colours).flatMap((colour) =>
          SIZES.slice(0, sizes).map((size) => ({
            ...variantLine(n, 'Colour', colour, size),
            'Option2 Name': 'Size',
            'Option2 Value': size,
          })),
        );
  return Array.from({ length: Math.max(variants.length, images) }, (_, at) => ({
    Handle: handle,
    ...(at === 0 && ownLine(n)),
    ...variants[at],
    ...(at < images && imageLine(n, at)),
  }));
}

const ownLine = (n: number): Line => ({
  Title: `Crème “N° ${n}”, hand-made`,
  'Body (HTML)': `<p>Made in ${n % 7} steps.</p>\n<p>Say "hello", or 你好 🪡</p>`,
  Vendor: `Atelier ${n % 11}`,
  'Product Category': `Home > Shelf ${n % 10} > Row ${n % 3}`,
  Type: 'Crockery',
  Tags: `tag-${n % 5}, sale, ünïcode`,
  Published: n % 13 === 0 ? 'false' : 'true',
  'Gift Card': 'false',
  'SEO Title': `Crème ${n} | Shop`,
  'SEO Description': 'Bowls, cups and plates.',
  'Google Shopping / Google Product Category': '2169',
  'Google Shopping / Gender': 'unisex',
  'Google Shopping / Age Group': 'adult',
  'Google Shopping / MPN': `MPN-${n}`,
  'Google Shopping / Condition': 'new',
  'Google Shopping / Custom Product': 'FALSE',
  'Google Shopping / Custom Label 0': 'evergreen',
  'Color (product.metafields.shopify.color-pattern)': 'cream; blue',
  'Included / Germany': 'true',
  'Included / International': 'true',
  Status: n % 17 === 0 ? 'draft' : 'active',
});

function variantLine(n: number, option: string, value: string, more = ''): Line {
  return {
    'Option1 Name': option,
    'Option1 Value': value,
    'Option1 Linked To': option === 'Colour' ? 'product.metafields.shopify.color-pattern' : '',
    'Variant SKU': `SHP-${n}-${COLOURS.indexOf(value) + 1}${more}`,
    'Variant Grams': String(100 + (n % 900)),
    'Variant Inventory Tracker': 'shopify',
    'Variant Inventory Qty': String(n % 50),
    'Variant Inventory Policy': n % 19 === 0 ? 'continue' : 'deny',
    'Variant Fulfillment Service': 'manual',
    'Variant Price': `${10 + (n % 90)}.95`,
    'Variant Compare At Price': n % 6 === 0 ? `${20 + (n % 90)}.95` : '',
    'Variant Requires Shipping': 'true',
    'Variant Taxable': 'true',
    'Unit Price Total Measure': '0.5',
    'Unit Price Total Measure Unit': 'kg',
    'Unit Price Base Measure': '1',
    'Unit Price Base Measure Unit': 'kg',
    'Variant Barcode': `'${4_000_000_000_000 + n}`,
    'Variant Weight Unit': 'kg',
    'Variant Tax Code': 'P0000000',
    'Cost per item': '4.20',
    'Price / Germany': `${11 + (n % 90)}.95`,
  };
}

const imageLine = (n: number, at: number): Line => ({
  'Image Src': `https://cdn.example.com/s/files/${n}-${at}.jpg?v=1700000000`,
  'Image Position': String(at + 1),
  'Image Alt Text': `Bowl ${n}, view ${at + 1}`,
});

const cell = (value = ''): string => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);

/** A product CSV as Shopify exports it, and what is in it. */
export interface ShopifyExport {
  readonly csv: string;
  readonly products: number;
  /** Lines without the header. */
  readonly lines: number;
}

/** Returns an export of `wanted` lines or the few more that end its last product. The same for the same number. */
export function shopifyExport(wanted: number): ShopifyExport {
  const rows: string[] = [SHOPIFY_COLUMNS.join(',')];
  let products = 0;
  for (; rows.length <= wanted; products++) {
    for (const line of linesOf(products))
      rows.push(SHOPIFY_COLUMNS.map((column) => cell(line[column])).join(','));
  }
  return { csv: `\uFEFF${rows.join('\n')}\n`, products, lines: rows.length - 1 };
}
