import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { client } from '../../../scripts/dev/client.ts';
import { type Finding, table } from '../../report.ts';
import { type Measured, service } from '../../worker.ts';
import { product } from '../../world/catalogue.ts';
import { shopifyExport } from '../../world/shopify-export.ts';
import { makeWorld, type Shop } from '../../world/world.ts';

const PRODUCTS = 10_000;

/** How an import went: seconds, and workerd's memory in MiB as it was every half second. */
interface Run {
  readonly seconds: number;
  readonly memory: readonly number[];
  readonly outcome: string;
}

/** A CSV of 10,000 products into an empty catalogue, and the same once more. */
export const imports = (): Promise<Finding[]> =>
  importTwice({ csv: catalogue(), products: PRODUCTS, of: `a CSV of ${PRODUCTS} products` });

/** 100,000 lines with every column of Shopify's export into an empty catalogue, and the same once more. */
export function shopify(): Promise<Finding[]> {
  const { csv, products, lines } = shopifyExport(100_000);
  return importTwice({ csv, products, of: `a Shopify export of ${lines} lines, ${products} products` });
}

interface Catalogue {
  readonly csv: string;
  readonly products: number;
  /** What it is, in words. */
  readonly of: string;
}

async function importTwice({ csv, products, of }: Catalogue): Promise<Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-import-'));
  const { shops } = await makeWorld(folder, 0);
  const worker = await service(folder);
  try {
    console.log(`\n${of}, ${(csv.length / 1024 / 1024).toFixed(1)} MiB`);
    const runs = [await importOnce(worker, shops[0], csv), await importOnce(worker, shops[0], csv)];
    const size = (value: number | undefined) => Math.round(value ?? Number.NaN);
    table(
      ['', 'products/s', 'seconds', 'memory MiB: before', 'half-way', 'most', 'at the end', 'outcome'],
      runs.map(({ seconds, memory, outcome }, at) => [
        at === 0 ? 'new' : 'the same again',
        Math.round(products / seconds),
        seconds.toFixed(0),
        size(memory[0]),
        size(memory[memory.length >> 1]),
        size(Math.max(...memory)),
        size(memory.at(-1)),
        outcome,
      ]),
    );
    return runs.map(({ seconds, memory }, at) => ({
      measure: `import of ${of}${at === 0 ? '' : ' again'}: products a second, most memory`,
      reach: 'reported',
      figure: `${Math.round(products / seconds)}/s, ${size(Math.max(...memory))} MiB`,
      reached: null,
    }));
  } finally {
    await worker.stop();
    rmSync(folder, { recursive: true });
  }
}

async function importOnce(worker: Measured, { token }: Shop, csv: string): Promise<Run> {
  const memory = [worker.memory()];
  const begun = performance.now();
  const answer = await fetch(new URL('/v1/imports/products', worker.url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'text/csv' },
    body: csv,
  });
  if (answer.status !== 202) throw new Error(`The import answered ${answer.status} ${await answer.text()}`);
  const { id } = JSON.parse(await answer.text());
  const api = client(worker.url.origin, token);
  for (;;) {
    await sleep(50);
    memory.push(worker.memory());
    const job = await api<Record<'status' | 'created' | 'unchanged' | 'failed', string>>(
      'GET',
      `/v1/imports/${id}`,
    );
    if (job.status === 'queued' || job.status === 'running') continue;
    const outcome = `${job.status}: ${job.created} created, ${job.unchanged} unchanged, ${job.failed} failed`;
    return { seconds: (performance.now() - begun) / 1000, memory, outcome };
  }
}

const COLUMNS = [
  'Handle',
  'Title',
  'Body (HTML)',
  'Vendor',
  'Product Category',
  'Tags',
  'Published',
  'Option1 Name',
  'Option1 Value',
  'Option2 Name',
  'Option2 Value',
  'Variant SKU',
  'Variant Inventory Qty',
  'Variant Inventory Policy',
  'Variant Price',
  'Variant Compare At Price',
  'Variant Requires Shipping',
  'Variant Barcode',
  'Image Src',
  'Image Position',
  'Status',
] as const;
type Line = Partial<Record<(typeof COLUMNS)[number], string | number>>;

/** Products of the seeded catalogue as a Shopify export: variants and further images on lines of their own. */
export function catalogue(from = 0, count = PRODUCTS): string {
  const cell = (value: string | number = '') => `"${String(value).replaceAll('"', '""')}"`;
  const lines = Array.from({ length: count }, (_, n) => linesOf(from + n)).flat();
  return [
    COLUMNS.join(','),
    ...lines.map((line) => COLUMNS.map((column) => cell(line[column])).join(',')),
  ].join('\n');
}

function linesOf(n: number): Line[] {
  const {
    slug,
    name,
    description,
    vendor,
    tags,
    variants,
    images,
    sku,
    stock,
    prices,
    regularPrice,
    barcode,
  } = product(1, n, 'EUR', [1]);
  const amount = (minor: number | null | undefined) => (minor ? (minor / 100).toFixed(2) : '');
  const sold: Line[] = variants.length
    ? variants.map((variant) => ({
        'Option1 Name': 'Color',
        'Option1 Value': variant.attributes.color ?? '',
        'Option2 Name': 'Size',
        'Option2 Value': variant.attributes.size ?? '',
        'Variant SKU': variant.sku,
        'Variant Inventory Qty': variant.stock ?? 0,
        'Variant Price': amount(variant.prices.EUR),
      }))
    : [
        {
          'Option1 Name': 'Title',
          'Option1 Value': 'Default Title',
          'Variant SKU': sku,
          'Variant Inventory Qty': stock ?? 0,
          'Variant Price': amount(prices.EUR),
          'Variant Compare At Price': amount(regularPrice),
          'Variant Barcode': barcode ?? '',
        },
      ];
  const [first = {}, ...others] = sold.map((line) => ({
    Handle: slug,
    'Variant Inventory Policy': 'deny',
    'Variant Requires Shipping': 'true',
    ...line,
  }));
  return [
    {
      ...first,
      Title: name,
      'Body (HTML)': description ?? '',
      Vendor: vendor ?? '',
      'Product Category': `Home > Shelf ${n % 40}`,
      Tags: tags.join(', '),
      Published: 'true',
      'Image Src': images[0] ?? '',
      'Image Position': 1,
      Status: 'active',
    },
    ...others,
    ...images.slice(1).map((image, at) => ({ Handle: slug, 'Image Src': image, 'Image Position': at + 2 })),
  ];
}
