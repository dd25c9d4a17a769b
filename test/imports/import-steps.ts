import { receiveUpload } from '../../src/imports/upload.ts';
import { ok } from '../../src/kernel/core/result.ts';
import { WITHOUT_KEY } from '../../src/kernel/http/idempotency.ts';
import { databaseOf } from '../support/runtime/runtime.ts';
import type { World } from '../support/world.ts';

/** Keeps a file without telling the queue, so that nobody but the test reads it. */
export async function keep(shop: World, text: string): Promise<string> {
  const pieces = [new TextEncoder().encode(text)];
  const upload = { next: async () => ok(pieces.shift() ?? null) };
  const kept = await receiveUpload(
    { db: databaseOf(shop), tenantId: shop.tenantId },
    { upload, options: { setsStock: false, dryRun: false, origin: 'https://api.example.com' } },
    WITHOUT_KEY,
  );
  if (!kept.ok) throw new Error(kept.failure.code);
  return kept.value;
}
