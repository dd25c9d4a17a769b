import { ok } from '../../kernel/core/result.ts';
import { type Endpoint, endpoint } from '../../kernel/http/endpoint.ts';
import { setHeaders } from '../../kernel/http/response.ts';
import { catalogContext } from '../context.ts';
import { bulkExample } from '../examples/bulk.ts';
import { changeProducts } from './change-products.ts';
import { BulkRequest, BulkResult, MAX_BULK_PRODUCTS } from './schemas.ts';

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
    const { result, version } = changed.value;
    if (version !== null) setHeaders(c, { 'X-Catalog-Version': String(version) });
    return ok(result);
  },
);

/** The endpoint that changes several products at once. */
export const bulkEndpoints: readonly Endpoint[] = [change];
