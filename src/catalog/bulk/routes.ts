import { ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint, MAX_CATALOG_BODY_BYTES } from '../../kernel/http/endpoint.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { catalogContext } from '../context.ts';
import { bulkExample, pricesExample } from '../examples/bulk.ts';
import { changeProducts } from './change-products.ts';
import { MAX_PRICED_ITEMS, PricesUpdate, PricesUpdated } from './price-schemas.ts';
import { BulkRequest, BulkResult, MAX_BULK_PRODUCTS } from './schemas.ts';
import { setPrices } from './set-prices.ts';

const change = endpoint(
  {
    method: 'post',
    path: '/v1/products/bulk',
    id: 'changeProducts',
    tag: 'Products',
    summary: 'Change several products at once',
    description: `Applies one change of status, price or categories to at most ${MAX_BULK_PRODUCTS} products in one transaction. A product that refuses the change is listed in \`errors\` and stays as it is, and so is one that is too large (about 8 MiB) together with those before it; the others change.`,
    access: 'catalog:write',
    body: BulkRequest,
    answer: BulkResult,
    errors: ['conflict'],
    example: bulkExample,
  },
  async (call) => {
    const { c, caller, body, once } = call;
    if (once.ref !== null) return ok(BulkResult.parse(JSON.parse(once.ref)));
    const changed = await changeProducts(catalogContext(call, caller), body, once);
    if (!changed.ok) return changed;
    const { result, version, held } = changed.value;
    c.set('heldLength', held);
    if (version !== null) setHeaders(c, { 'X-Catalog-Version': String(version) });
    return ok(result);
  },
);

const prices = endpoint(
  {
    method: 'post',
    path: '/v1/products/prices',
    id: 'setProductPrices',
    tag: 'Products',
    summary: 'Set prices by SKU',
    description: `Sets the prices and sales of at most ${MAX_PRICED_ITEMS} SKUs, of products or variants, in one transaction: all of them, or none. What an item leaves out stays as it is; while a sale runs, \`price\` is the ordinary price. Items of products that are too large together (about 8 MiB) are 422.`,
    access: 'catalog:write',
    body: PricesUpdate,
    maxBytes: MAX_CATALOG_BODY_BYTES,
    answer: PricesUpdated,
    errors: ['conflict'],
    example: pricesExample,
  },
  async (call) => {
    const { c, caller, body, once } = call;
    if (once.ref !== null) return ok(PricesUpdated.parse(JSON.parse(once.ref)));
    const set = await setPrices(catalogContext(call, caller), body, once);
    if (!set.ok) return set;
    const { result, version, held } = set.value;
    c.set('heldLength', held);
    if (version !== null) setHeaders(c, { 'X-Catalog-Version': String(version) });
    return ok(result);
  },
);

/** The endpoints that change several products at once. */
export const bulkEndpoints: readonly Endpoint[] = [change, prices];
