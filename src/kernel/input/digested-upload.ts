import type { Context } from 'hono';
import { ok, type Result } from '../core/result.ts';
import { Digest } from '../crypto/crypto.ts';
import type { App } from '../http/context.ts';
import type { Upload } from './body.ts';

/** An upload whose SHA-256 (hex) is known once it was read to its end. */
export class DigestedUpload implements Upload {
  digest: string | null = null;
  private readonly hash = new Digest();

  constructor(private readonly upload: Upload) {}

  async next(): Promise<Result<Uint8Array | null>> {
    const piece = await this.upload.next();
    if (piece.ok && piece.value) this.hash.add(piece.value);
    else if (piece.ok) this.digest ??= this.hash.end();
    return piece;
  }

  /** Reads it to its end. Returns its digest. */
  async readAll(): Promise<Result<string>> {
    while (this.digest === null) {
      const piece = await this.next();
      if (!piece.ok) return piece;
    }
    return ok(this.digest);
  }
}

/** Makes the handler read the request's upload through its digest, which is returned; null without an upload. */
export function digestUpload(c: Context<App>): DigestedUpload | null {
  const upload = c.get('upload');
  if (!upload) return null;
  const digested = new DigestedUpload(upload);
  c.set('upload', digested);
  return digested;
}
