import { fail, ok, type Result } from '../kernel/core/result.ts';
import { id as newId } from '../kernel/crypto/crypto.ts';
import { batch, guardFailed, type Statement } from '../kernel/data/database.ts';
import type { TenantDatabase } from '../kernel/data/tenant-context.ts';
import type { IdempotencyScope } from '../kernel/http/context.ts';
import type { Upload } from '../kernel/input/body.ts';
import { RowCounter } from './csv/row-counter.ts';
import { chunkStatements, discardImport, discardStalled, queuedStatements } from './file.ts';
import { createImport, type ImportOptions, loadImport } from './store.ts';
import { CHUNK_BYTES } from './tables.ts';

/** An upload to receive, and how its import writes it. */
interface UploadRequest {
  readonly upload: Upload;
  readonly options: ImportOptions;
}

/**
 * Stores a file chunk by chunk as it arrives, and returns its import's id. A refused upload (too large, too
 * slow, no longer authorized) is deleted at once. An aborted upload is never started, and is deleted an hour
 * after its last chunk, or earlier if another upload needs its place.
 */
export async function receiveUpload(
  ctx: TenantDatabase,
  { upload, options }: UploadRequest,
  once: IdempotencyScope,
): Promise<Result<string>> {
  const id = newId('imp');
  const begun = await beginImport(ctx, id, options);
  if (!begun.ok) return begun;
  const received = new ReceivedFile();
  for (;;) {
    const piece = await upload.next();
    if (!piece.ok) {
      await discardImport(ctx, id);
      return piece;
    }
    if (piece.value === null) break;
    for (const chunk of received.add(piece.value)) {
      const stored = await storeReceived(ctx, id, chunkStatements(ctx, id, chunk));
      if (!stored.ok) return stored;
    }
  }
  const { rest, size, rows } = received.end();
  return storeReceived(ctx, id, [
    ...once.mark(id),
    ...(rest ? chunkStatements(ctx, id, rest) : []),
    ...queuedStatements(ctx, id, { size, rows }),
  ]);
}

/** Creates an import. If the tenant has too many, its oldest upload that has broken off gives way. */
async function beginImport(ctx: TenantDatabase, id: string, options: ImportOptions): Promise<Result<void>> {
  const begun = await createImport(ctx, id, options);
  return begun.ok || !(await discardStalled(ctx)) ? begun : createImport(ctx, id, options);
}

/** Cuts the bytes of an upload into chunks of {@link CHUNK_BYTES}, and counts them. Holds one chunk. */
class ReceivedFile {
  private readonly rows = new RowCounter();
  private readonly chunk = Buffer.alloc(CHUNK_BYTES);
  private size = 0;
  private filled = 0;
  private n = 0;

  /** Yields the chunks that these bytes complete. Each is overwritten when the next one is taken. */
  *add(bytes: Uint8Array): Generator<{ readonly n: number; readonly bytes: Buffer }> {
    this.size += bytes.byteLength;
    this.rows.add(bytes);
    for (let at = 0; at < bytes.byteLength; ) {
      const part = bytes.subarray(at, at + CHUNK_BYTES - this.filled);
      this.chunk.set(part, this.filled);
      this.filled += part.byteLength;
      at += part.byteLength;
      if (this.filled < CHUNK_BYTES) continue;
      this.filled = 0;
      yield { n: this.n++, bytes: this.chunk };
    }
  }

  /** Returns the last, incomplete chunk (null: none), the file's size in bytes, and its rows. */
  end() {
    return {
      rest: this.filled > 0 ? { n: this.n, bytes: this.chunk.subarray(0, this.filled) } : null,
      size: this.size,
      rows: this.rows.rows,
    };
  }
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
    if (!guardFailed(error)) throw error;
    if (await loadImport(ctx, id)) {
      // Then a concurrent request with the same Idempotency-Key has aborted the batch.
      await discardImport(ctx, id);
      throw error;
    }
    const message = 'The upload stalled for too long and was discarded. Send the file again.';
    return fail('request_timeout', { message });
  }
}
