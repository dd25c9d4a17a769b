import { fail, ok, type Result } from '../kernel/core/result.ts';
import { Digest, id as newId } from '../kernel/crypto/crypto.ts';
import { batch, type Database, guardFailed, type Statement } from '../kernel/data/database.ts';
import type { Upload } from '../kernel/http/body.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { RowCounter } from './csv/row-counter.ts';
import { beginImport, chunkStatements, discardImport, loadImport, queuedStatements } from './store.ts';
import { CHUNK } from './tables.ts';

/**
 * Keeps a file as it arrives, chunk by chunk, and returns its import's id. What was received of a file that
 * is refused on the way (too large, too slow, no longer allowed) is deleted at once; what an upload that
 * broke off leaves behind is never started, and swept up an hour after its last chunk.
 */
export async function receiveUpload(
  db: Database,
  tenantId: number,
  upload: Upload,
  setsStock: boolean,
  once: IdempotencyScope,
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
      const kept = await keep(db, tenantId, id, chunkStatements(db, tenantId, id, n++, chunk));
      if (!kept.ok) return kept;
      filled = 0;
    }
  }
  return keep(db, tenantId, id, [
    ...once.mark(id, digest.end()),
    ...(filled > 0 ? chunkStatements(db, tenantId, id, n, chunk.subarray(0, filled)) : []),
    ...queuedStatements(db, tenantId, id, size, counter.rows),
  ]);
}

/** Writes what has arrived; `request_timeout` where the upload stood still until it was swept up. */
async function keep(
  db: Database,
  tenantId: number,
  id: string,
  statements: readonly Statement[],
): Promise<Result<string>> {
  try {
    await batch(db, statements);
    return ok(id);
  } catch (error) {
    // Another call with the same Idempotency-Key may break the batch as well.
    if (!guardFailed(error) || (await loadImport(db, tenantId, id))) throw error;
    const message = 'The upload stood still for too long and was given up. Send the file again.';
    return fail('request_timeout', { message });
  }
}
