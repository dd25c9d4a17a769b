import { env } from 'cloudflare:workers';
import type { SearchDocument } from '../../src/search/indexing/document.ts';
import { upsert } from '../../src/search/indexing/write-documents.ts';
import { find, type Hits } from '../../src/search/query/find.ts';

/** A product as a test notes it down. */
export type Noted = Partial<Omit<SearchDocument, 'tenantId' | 'item'>> & { readonly name: string };

/** Ids that nothing of the platform has: the documents of other tests share the index. */
let tenants = 1_000_000_000;
let products = 1_000_000_000;

/** A tenant of its own, with an empty index. */
export class Shop {
  readonly tenantId = ++tenants;

  /** A document of this shop with a new product id; its item shows its id, name and sequence. */
  document(noted: Noted): SearchDocument {
    const productId = noted.productId ?? ++products;
    const sequence = noted.sequence ?? 1;
    return {
      live: true,
      sku: `sku-${productId}`,
      variantSkus: [],
      slug: '',
      description: null,
      categories: [],
      attributes: [],
      tags: [],
      vendor: null,
      ...noted,
      tenantId: this.tenantId,
      productId,
      version: noted.version ?? 1,
      sequence,
      item: JSON.stringify({ id: productId, name: noted.name, sequence }),
    };
  }

  /** Indexes products, in this order. */
  async sell(...noted: (Noted | string)[]): Promise<SearchDocument[]> {
    const documents = noted.map((one) => this.document(typeof one === 'string' ? { name: one } : one));
    await upsert(env.SEARCH_01, documents);
    return documents;
  }

  find(q: string, page = 1, limit = 20): Promise<Hits> {
    return find({ db: env.SEARCH_01, tenantId: this.tenantId }, { q, offset: (page - 1) * limit, limit });
  }

  /** The names that a search finds, best first. */
  async names(q: string, page = 1, limit = 20): Promise<string[]> {
    return (await this.find(q, page, limit)).items.map((item) => JSON.parse(item).name);
  }
}
