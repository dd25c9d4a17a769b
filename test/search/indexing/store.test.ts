import { env } from 'cloudflare:workers';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SearchDocument } from '../../../src/search/indexing/document.ts';
import { rebuildStep, type Source } from '../../../src/search/indexing/rebuild.ts';
import { remove, upsert } from '../../../src/search/indexing/write-documents.ts';
import { Shop } from '../indexed-tenant.ts';

const db = env.SEARCH_01;

/** A catalogue as a rebuild reads it. */
const source =
  (documents: readonly SearchDocument[]): Source =>
  async (afterId, limit) =>
    documents
      .filter(({ productId }) => productId > afterId)
      .toSorted((a, b) => a.productId - b.productId)
      .slice(0, limit);

/** Rebuilds a shop's index, step after step. */
async function rebuild(tenantId: number, read: Source): Promise<void> {
  let cursor = await rebuildStep({ db, tenantId }, read);
  while (cursor) cursor = await rebuildStep({ db, tenantId }, read, cursor);
}

describe('a write', () => {
  it("replaces the product's document", async () => {
    const shop = new Shop();
    const [shirt] = await shop.sell('Shirt');
    await shop.sell({ ...shirt, name: 'Warm jacket', sequence: 2 });
    expect(await shop.find('shirt')).toMatchObject({ items: [], total: 0 });
    expect(await shop.names('jacket')).toEqual(['Warm jacket']);
  });

  it('updates a price without touching the words', async () => {
    const shop = new Shop();
    const [shirt] = await shop.sell('Shirt');
    if (!shirt) throw new Error('unreachable');
    await upsert(db, [{ ...shirt, sequence: 2, item: '{"price":5}' }]);
    expect((await shop.find('shirt')).items).toEqual(['{"price":5}']);
  });

  it('does nothing after a newer write, removals included', async () => {
    const shop = new Shop();
    const [shirt] = await shop.sell({ name: 'Shirt', sequence: 5 });
    if (!shirt) throw new Error('unreachable');
    await shop.sell({ ...shirt, name: 'Jacket', sequence: 4 });
    await remove(db, [{ ...shirt, sequence: 3 }]);
    expect(await shop.names('shirt')).toEqual(['Shirt']);
    await remove(db, [{ ...shirt, sequence: 6 }]);
    await shop.sell({ ...shirt, sequence: 5 }, { ...shirt, sequence: 6 });
    expect(await shop.find('shirt')).toMatchObject({ items: [], total: 0 });
    await shop.sell({ ...shirt, sequence: 7 });
    expect(await shop.names('shirt')).toEqual(['Shirt']);
  });

  it('removes a product that is no longer active', async () => {
    const shop = new Shop();
    const [shirt] = await shop.sell('Shirt');
    await shop.sell({ name: 'Shirt', ...shirt, live: false, sequence: 2 });
    expect(await shop.find('shirt')).toMatchObject({ items: [], total: 0 });
  });

  it("never touches another tenant's product", async () => {
    const [ours, theirs] = [new Shop(), new Shop()];
    const [shirt] = await ours.sell('Shirt');
    if (!shirt) throw new Error('unreachable');
    await theirs.sell({ ...shirt, name: 'Jacket', sequence: 9 });
    await remove(db, [{ ...shirt, tenantId: theirs.tenantId, sequence: 9 }]);
    expect(await ours.names('shirt')).toEqual(['Shirt']);
    expect(await theirs.names('jacket')).toEqual([]);
  });

  it('accepts hundreds of long documents of several tenants at once', async () => {
    const shops = [new Shop(), new Shop()];
    const long = Array.from({ length: 600 }, (_, index) => `word${index}`).join(' ');
    const documents = shops.flatMap((shop) =>
      Array.from({ length: 120 }, (_, index) =>
        shop.document({ name: `Lamp ${index}`, description: `${long}漢` }),
      ),
    );
    await upsert(db, documents);
    for (const shop of shops) expect((await shop.find('lamp word599')).total).toBe(120);
  });

  it('has the same result in any order, in any batches, any number of times', async () => {
    const change = fc.record({
      product: fc.integer({ min: 0, max: 3 }),
      sequence: fc.integer({ min: 1, max: 6 }),
      name: fc.constantFrom('Shirt', 'Warm shirt', 'Jacket'),
      live: fc.boolean(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(change, {
          selector: ({ product, sequence }) => `${product} ${sequence}`,
          maxLength: 16,
        }),
        fc.integer({ min: 1, max: 5 }),
        fc.infiniteStream(fc.nat()),
        async (changes, size, random) => {
          const shop = new Shop();
          const ids = [0, 1, 2, 3].map(() => shop.document({ name: '' }).productId);
          const writes = changes.map(({ product, ...noted }) =>
            shop.document({ ...noted, productId: ids[product] ?? 0 }),
          );
          const shuffled = [...writes, ...writes.slice(0, 4)].toSorted(() => (random.next().value % 3) - 1);
          for (let start = 0; start < shuffled.length; start += size) {
            const some = shuffled.slice(start, start + size);
            await upsert(
              db,
              some.filter(({ live }, index) => live || index % 2 === 0),
            );
            await remove(
              db,
              some.filter(({ live }, index) => !live && index % 2 === 1),
            );
          }
          const last = ids.flatMap((id) =>
            writes
              .filter(({ productId }) => productId === id)
              .toSorted((a, b) => b.sequence - a.sequence)
              .slice(0, 1),
          );
          for (const word of ['shirt', 'jacket']) {
            const expected = last.filter(({ live, name }) => live && name.toLowerCase().includes(word));
            expect([...(await shop.find(word)).items].sort()).toEqual(
              expected.map(({ item }) => item).sort(),
            );
          }
        },
      ),
      { numRuns: 60 },
    );
  });
});

describe('a rebuild', () => {
  it('restores lost documents, removes stale ones, and does not touch other tenants', async () => {
    const [shop, other] = [new Shop(), new Shop()];
    const documents = await shop.sell(...Array.from({ length: 230 }, (_, index) => `Lamp ${index}`));
    await shop.sell('Stale lamp', 'Stale chair');
    await other.sell('Lamp');
    await db.batch([
      db
        .prepare(
          'DELETE FROM search_index WHERE rowid IN (SELECT place FROM search_documents WHERE tenant_id = ?)',
        )
        .bind(shop.tenantId),
      db.prepare('UPDATE search_documents SET item = ? WHERE tenant_id = ?').bind('{}', shop.tenantId),
    ]);
    expect((await shop.find('lamp')).total).toBe(0);
    await rebuild(shop.tenantId, source(documents));
    expect((await shop.find('lamp')).total).toBe(230);
    expect((await shop.find('lamp', 1, 100)).items).toEqual(documents.slice(0, 100).map(({ item }) => item));
    expect((await shop.find('stale')).total).toBe(0);
    expect((await other.find('lamp')).total).toBe(1);
  });

  it('removes unused words, so that no typo is corrected to them', async () => {
    const shop = new Shop();
    const [shirt] = await shop.sell({ name: 'Shirt', description: 'velvet' });
    const [now] = await shop.sell({ ...shirt, name: 'Shift', description: null, sequence: 2 });
    const known = async () =>
      (await db.prepare('SELECT word FROM search_spellings WHERE tenant_id = ?').bind(shop.tenantId).all())
        .results;
    expect(await known()).toEqual([{ word: 'shift' }, { word: 'shirt' }, { word: 'velvet' }]);
    await rebuild(shop.tenantId, source(now ? [now] : []));
    expect(await known()).toEqual([{ word: 'shift' }]);
  });

  it('yields to writes meanwhile', async () => {
    const shop = new Shop();
    const [kept, gone, hidden] = await shop.sell('Kept lamp', 'Gone lamp', {
      name: 'Hidden lamp',
      live: false,
    });
    if (!kept || !gone || !hidden) throw new Error('unreachable');
    const read: Source = async (afterId, limit) => {
      const answer = await source([kept, gone])(afterId, limit);
      await shop.sell(
        { ...kept, name: 'New lamp', sequence: 2 },
        { ...hidden, live: true, sequence: 2 },
        'Late lamp',
      );
      await remove(db, [{ ...gone, sequence: 2 }]);
      return answer;
    };
    await rebuild(shop.tenantId, read);
    expect(await shop.names('lamp')).toEqual(['New lamp', 'Hidden lamp', 'Late lamp']);
  });

  it('resumes from any step, and may repeat it', async () => {
    const shop = new Shop();
    const documents = await shop.sell(...Array.from({ length: 150 }, (_, index) => `Lamp ${index}`));
    const read = source(documents.filter((_, index) => index % 2 === 0));
    let steps = 0;
    for (let cursor = await rebuildStep({ db, tenantId: shop.tenantId }, read); cursor; steps++) {
      await rebuildStep({ db, tenantId: shop.tenantId }, read, cursor);
      cursor = await rebuildStep({ db, tenantId: shop.tenantId }, read, cursor);
    }
    expect(steps).toBeGreaterThan(1);
    expect((await shop.find('lamp')).total).toBe(75);
  });

  it('empties the index of a tenant without products, in several steps', async () => {
    const shop = new Shop();
    await shop.sell(...Array.from({ length: 1100 }, (_, index) => `Lamp ${index}`));
    await rebuild(shop.tenantId, source([]));
    expect(await shop.find('lamp')).toMatchObject({ items: [], total: 0 });
  });
});
