import { receiveUpload } from '../../src/imports/upload.ts';
import { ok } from '../../src/kernel/core/result.ts';
import { WITHOUT_KEY } from '../../src/kernel/http/idempotency.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

/** Uploads a file without a message in the queue, so that only the test imports it. Returns the import's id. */
export async function uploadUnqueued(shop: World, text: string, dryRun = false): Promise<string> {
  const pieces = [new TextEncoder().encode(text)];
  const upload = { next: async () => ok(pieces.shift() ?? null) };
  const kept = await receiveUpload(
    { db: databaseOf(shop), tenantId: shop.tenantId },
    { upload, options: { setsStock: false, dryRun, origin: 'https://api.example.com' } },
    WITHOUT_KEY,
  );
  if (!kept.ok) throw new Error(kept.failure.code);
  return kept.value;
}

/** A file of so many products, every third of them with two variants, every tenth line bad. */
export function productsFile(count: number, price = 10): string {
  const lines = Array.from({ length: count }, (_, i) => {
    if (i % 10 === 9) return `bad-${i},Bad,,,oops,1\n`;
    if (i % 3 > 0) return `p-${i},Product ${i},,,${price},${i}\n`;
    return `p-${i},Product ${i},Size,S,${price},1\np-${i},,,M,${price},2\n`;
  });
  return `Handle,Title,Option1 Name,Option1 Value,Price,Inventory quantity\n${lines.join('')}`;
}

/** Returns an import as the API shows it. */
export const readImport = async (shop: World, id: string) => (await shop.get(`/imports/${id}`)).body;

/** Waits until an import that others drive is over. */
export async function waitUntilOver(shop: World, id: string) {
  for (let turn = 0; turn < 1_500; turn++) {
    const body = await readImport(shop, id);
    if (body.status === 'done' || body.status === 'failed') return body;
    await scheduler.wait(20);
  }
  throw new Error('The import does not come to an end');
}
