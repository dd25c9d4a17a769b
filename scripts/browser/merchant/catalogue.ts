import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

/** Such a file's columns, in their order. */
const COLUMNS = [
  ...['Handle', 'Title', 'Body (HTML)', 'Vendor', 'Type', 'Tags', 'Published'],
  ...['Option1 Name', 'Option1 Value', 'Option2 Name', 'Option2 Value', 'Option3 Name', 'Option3 Value'],
  ...['Variant SKU', 'Variant Grams', 'Variant Inventory Tracker', 'Variant Inventory Qty'],
  ...['Variant Inventory Policy', 'Variant Fulfillment Service', 'Variant Price'],
  ...['Variant Compare At Price', 'Variant Requires Shipping', 'Variant Taxable', 'Variant Barcode'],
  ...['Image Src', 'Image Position', 'Image Alt Text', 'Gift Card', 'SEO Title', 'SEO Description'],
  ...[
    ...['Google Product Category', 'Gender', 'Age Group', 'MPN', 'AdWords Grouping', 'AdWords Labels'],
    ...['Condition', 'Custom Product', ...[0, 1, 2, 3, 4].map((n) => `Custom Label ${n}`)],
  ].map((name) => `Google Shopping / ${name}`),
  ...['Variant Image', 'Variant Weight Unit', 'Variant Tax Code'],
];

type Row = Readonly<Record<string, string | number>>;

const csv = (rows: readonly Row[]): string =>
  [COLUMNS, ...rows.map((row) => COLUMNS.map((column) => row[column] ?? ''))]
    .map((cells) => cells.map((cell) => `"${String(cell).replaceAll('"', '""')}"`).join(','))
    .join('\n');

/** What every first line of a product holds. */
const product = (handle: string, title: string, price: number, stock: number): Row => ({
  Handle: handle,
  Title: title,
  'Body (HTML)': `<p>${title} &amp; more.</p>`,
  Vendor: 'Harbour Books',
  Type: 'Prints',
  Tags: 'harbour, paper',
  Published: 'true',
  'Gift Card': 'false',
  'Option1 Name': 'Title',
  'Option1 Value': 'Default Title',
  'Variant Grams': 0,
  'Variant Inventory Qty': stock,
  'Variant Inventory Policy': 'deny',
  'Variant Fulfillment Service': 'manual',
  'Variant Price': price,
  'Variant Requires Shipping': 'true',
  'Variant Taxable': 'true',
  'Variant Weight Unit': 'kg',
  'Image Src': `https://images.example.com/${handle}.jpg`,
  'Image Position': 1,
});

/** One product in two colours, its second line as such files have it. */
const inTwoColours = (handle: string, title: string, price: number): Row[] => [
  { ...product(handle, title, price, 30), 'Option1 Name': 'Colour', 'Option1 Value': 'Sand' },
  {
    Handle: handle,
    'Option1 Value': 'Navy',
    'Variant Inventory Qty': 8,
    'Variant Price': price + 2,
    'Variant Inventory Policy': 'deny',
    'Variant Fulfillment Service': 'manual',
    'Variant Requires Shipping': 'true',
    'Variant Taxable': 'true',
  },
];

const PLACES = ['Harbour', 'Lighthouse', 'Breakwater', 'Slipway', 'Ferry', 'Dock', 'Quay', 'Marina', 'Delta'];

const OURS = csv([
  ...inTwoColours('mooring-rope', 'Mooring Rope', 19),
  ...inTwoColours('sailor-jumper', 'Sailor Jumper', 79),
  ...PLACES.flatMap((place) => [
    product(`${place}-map`.toLowerCase(), `Map of the ${place}`, 24.5, 12),
    product(`${place}-print`.toLowerCase(), `${place} at Dawn, Print`, 49, 3),
  ]),
]);

/** A file to import. */
export interface Catalogue {
  readonly name: string;
  readonly text: string;
  /** Products in it. */
  readonly products: number;
}

/** Returns the product CSV at this path, or one with all columns of Shopify's export. */
export function catalogue(path?: string): Catalogue {
  const text = path ? readFileSync(path, 'utf8') : OURS;
  const name = path ? basename(path) : 'harbour.csv';
  const handles = text.matchAll(/^"?([a-z0-9-]+)"?,/gm);
  return { name, text, products: new Set([...handles].map(([, handle]) => handle)).size };
}

/** So many products with names as long as names get in earnest, to see lists that are full. */
export const manyProducts = (count: number): string =>
  csv(
    Array.from({ length: count }, (_, n) =>
      product(
        `volume-${n}`,
        `The Collected Harbour Papers of ${PLACES[n % PLACES.length]}, Volume ${n}, with Maps, Plates and an Index of Ships`,
        10 + n,
        n,
      ),
    ),
  );
