import { fail, ok, type Result } from '../kernel/core/result.ts';
import { Digest, id as newId } from '../kernel/crypto/crypto.ts';
import { batch, guardFailed, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { Upload } from '../kernel/http/body.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import { RowCounter } from './csv/row-counter.ts';
import { chunkStatements, createImport, discardImport, loadImport, queuedStatements } from './store.ts';
import { CHUNK_BYTES } from './tables.ts';

/**
 * Stores a file chunk by chunk as it arrives, and returns its import's id. A refused upload (too large, too
 * slow, no longer authorized) is deleted at once. An aborted upload is never started, and is deleted an hour
 * after its last chunk.
 */
export async function receiveUpload(
  ctx: TenantDatabase,
  upload: Upload,
  setsStock: boolean,
  once: IdempotencyScope,
): Promise<Result<string>> {
  const id = newId('imp');
  const begun = await createImport(ctx, id, setsStock);
  if (!begun.ok) return begun;
  const counter = new RowCounter();
  const digest = new Digest();
  const chunk = Buffer.alloc(CHUNK_BYTES);
  let [size, filled, n] = [0, 0, 0];
  for (;;) {
    const piece = await upload.next();
    if (!piece.ok) {
      await discardImport(ctx, id);
      return piece;
    }
    if (piece.value === null) break;
    const bytes = piece.value;
    size += bytes.byteLength;
    counter.add(bytes);
    digest.add(bytes);
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - filled);
      chunk.set(part, filled);
      filled += part.byteLength;
      at += part.byteLength;
      if (filled < CHUNK_BYTES) continue;
      const stored = await storeReceived(ctx, id, chunkStatements(ctx, id, n++, chunk));
      if (!stored.ok) return stored;
      filled = 0;
    }
  }
  return storeReceived(ctx, id, [
    ...once.mark(id, digest.end()),
    ...(filled > 0 ? chunkStatements(ctx, id, n, chunk.subarray(0, filled)) : []),
    ...queuedStatements(ctx, id, size, counter.rows),
  ]);
}

/** Stores received data; `request_timeout` when the upload stalled and has been deleted. */
async function storeReceived(
  ctx: TenantDatabase,
  id: string,
  statements: readonly Statement[],
): Promise<Result<string>> {
  const { db } = ctx;
  try {
    await batch(db, statements);
    return ok(id);
  } catch (error) {
    // A concurrent request with the same Idempotency-Key also aborts the batch.
    if (!guardFailed(error) || (await loadImport(ctx, id))) throw error;
    const message = 'The upload stalled for too long and was discarded. Send the file again.';
    return fail('request_timeout', { message });
  }
}
