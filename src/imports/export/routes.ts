import { z } from '@hono/zod-openapi';
import { catalogContext, categoryNamesAbove, loadProductsAfter } from '../../catalog/index.ts';
import { limitUpTo } from '../../kernel/core/pagination.ts';
import { ok } from '../../kernel/core/result.ts';
import { csvPage, wantsCsv } from '../../kernel/http/csv.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import type { Example } from '../../kernel/openapi/example.ts';
import { backgroundWork } from '../../tenants/index.ts';
import { EXPORT_COLUMNS, isExpressible, productLines } from './product-rows.ts';

/** Largest number of products on a page of an export, and the number by default. */
const MAX_PRODUCTS = 100;

const ExportQuery = z.object({
  after: z
    .string()
    .regex(/^\d{1,15}$/, 'must be the id of a product')
    .default('0')
    .transform(Number)
    .openapi({
      type: 'integer',
      minimum: 0,
      default: 0,
      description: 'Continues after the product with this id.',
    }),
  limit: limitUpTo(MAX_PRODUCTS, MAX_PRODUCTS),
});

/** A page of an export. */
const ExportPage = z
  .object({
    columns: z.array(z.string()),
    rows: z.array(z.array(z.string())).openapi({ description: 'The lines, with a cell for each column.' }),
    next_after: z.int().nullable().openapi({ description: 'The `after` of the next page; null at the end.' }),
  })
  .openapi('ProductExport');

const example = (): Example<{ query: typeof ExportQuery; answer: typeof ExportPage }> => ({
  query: { limit: 1 },
  answer: {
    columns: [...EXPORT_COLUMNS],
    rows: [EXPORT_COLUMNS.map((column) => EXAMPLE_CELLS[column] ?? '')],
    next_after: 5,
  },
});
const EXAMPLE_CELLS: Readonly<Record<string, string>> = {
  Handle: 'bike-bell',
  Title: 'Brass bike bell',
  'Product Category': 'Cycling',
  Published: 'TRUE',
  'Variant SKU': 'BELL-BRASS',
  'Variant Inventory Tracker': 'shopify',
  'Variant Inventory Qty': '35',
  'Variant Inventory Policy': 'deny',
  'Variant Price': '14.90',
  'Variant Requires Shipping': 'TRUE',
  Status: 'active',
};

const exportProducts = endpoint(
  {
    method: 'get',
    path: '/v1/exports/products',
    id: 'exportProducts',
    tag: 'Imports',
    summary: 'Export products as lines of a CSV',
    description: `The lines of at most ${MAX_PRODUCTS} products, of large ones fewer, by id, in the format that \`POST /v1/imports/products\` reads: importing the file again changes nothing. With \`Accept: text/csv\` it is a file (RFC 4180, UTF-8), whose \`Link\` header has the address of the next page (RFC 8288). Texts that a spreadsheet would take for a formula begin with an apostrophe, which an import removes. Products with more than three options, or an option value "Default Title", are left out.`,
    access: 'catalog:write',
    query: ExportQuery,
    answer: ExportPage,
    csv: EXPORT_COLUMNS,
    example,
  },
  async (call) => {
    const { c, caller, query } = call;
    const work = backgroundWork(call, call.tenantId);
    const { products, next: last } = await loadProductsAfter(catalogContext(work.ctx, caller), query);
    const categories = await categoryNamesAbove(
      work.ctx,
      products.flatMap(({ state }) => state.categoryIds.slice(0, 1)),
    );
    await work.pause();
    const context = { currency: caller.currency, paths: pathsOf(categories) };
    const rows = products.filter(isExpressible).flatMap((product) => productLines(product, context));
    if (!wantsCsv(c)) return ok({ columns: [...EXPORT_COLUMNS], rows, next_after: last });
    const next = last === null ? null : (['after', String(last)] as const);
    return csvPage(c, { filename: 'products.csv', columns: EXPORT_COLUMNS, rows, isImported: true, next });
  },
);

/** Returns the names from the root down of each category. */
function pathsOf(categories: Awaited<ReturnType<typeof categoryNamesAbove>>): Map<number, string[]> {
  const byId = new Map(categories.map((category) => [category.id, category]));
  const pathOf = (id: number | null): string[] => {
    const category = id === null ? undefined : byId.get(id);
    return category ? [...pathOf(category.parent_id), category.name] : [];
  };
  return new Map(categories.map(({ id }) => [id, pathOf(id)]));
}

/** The endpoint that exports products. */
export const exportEndpoints: readonly Endpoint[] = [exportProducts];
