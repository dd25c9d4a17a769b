import type { Upload } from '../kernel/body.ts';
import type { Once } from '../kernel/call.ts';
import { Digest, id as newId } from '../kernel/crypto.ts';
import { batch, type Database } from '../kernel/database.ts';
import { ok, type Result } from '../kernel/result.ts';
import { RowCounter } from './rows.ts';
import { beginImport, chunkStatement, discardImport, queuedStatement } from './store.ts';
import { CHUNK } from './tables.ts';

/**
 * Keeps a file as it arrives, chunk by chunk, and returns its import's id. What was received of a file that is
 * refused on the way (too large, too slow, no longer allowed) is deleted at once; what an upload that broke off
 * leaves behind is never started, and swept up later.
 */
export async function receive(
  db: Database,
  tenantId: number,
  upload: Upload,
  setsStock: boolean,
  once: Once,
): Promise<Result<string>> {
  const id = newId('imp');
  const begun = await beginImport(db, tenantId, id, setsStock);
  if (!begun.ok) return begun;
  const counter = new RowCounter();
  const digest = new Digest();
  const chunk = Buffer.alloc(CHUNK);
  let [size, filled, n] = [0, 0, 0];
  for (;;) {
    const piece = await upload.next();
    if (!piece.ok) {
      await discardImport(db, tenantId, id);
      return piece;
    }
    if (piece.value === null) break;
    const bytes = piece.value;
    size += bytes.byteLength;
    counter.add(bytes);
    digest.add(bytes);
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + CHUNK - filled);
      chunk.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < CHUNK) continue;
      await chunkStatement(db, tenantId, id, n++, chunk);
      filled = 0;
    }
  }
  await batch(db, [
    ...once.mark(id, digest.end()),
    ...(filled > 0 ? [chunkStatement(db, tenantId, id, n, chunk.subarray(0, filled))] : []),
    queuedStatement(db, tenantId, id, size, counter.rows),
  ]);
  return ok(id);
}
