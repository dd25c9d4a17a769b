import { HeldBytes } from '../../kernel/input/held-bytes.ts';

/** The size of the blocks that bytes are gathered in. */
const BLOCK_BYTES = 256 * 1024;

/**
 * The bytes of an upload, gathered in blocks. They are held once: the object's name is their hash, which is
 * known only at the end, and R2 can neither rename nor copy an object. Blocks, because a sender may choose
 * pieces of one byte, and because one buffer of unknown length would be copied as it grows.
 */
export class ReceivedBytes {
  private readonly buffers: Uint8Array[] = [];
  private readonly held: HeldBytes;
  private length = 0;

  /** `tenantId` is the tenant that uploads; null for bytes that count for none. */
  constructor(tenantId: number | null = null) {
    this.held = new HeldBytes(tenantId);
  }

  /** The number of bytes so far. */
  get size(): number {
    return this.length;
  }

  /** Appends bytes. Returns false, and appends only a part, if the isolate's uploads hold too much. */
  add(piece: Uint8Array): boolean {
    for (let read = 0; read < piece.byteLength; ) {
      const filled = this.length % BLOCK_BYTES;
      if (filled === 0 && !this.grow()) return false;
      const part = piece.subarray(read, read + BLOCK_BYTES - filled);
      this.buffers.at(-1)?.set(part, filled);
      this.length += part.byteLength;
      read += part.byteLength;
    }
    return true;
  }

  private grow(): boolean {
    if (!this.held.take(BLOCK_BYTES)) return false;
    this.buffers.push(new Uint8Array(BLOCK_BYTES));
    return true;
  }

  /** Releases the memory. The bytes can't be read afterwards. */
  release(): void {
    this.held.release();
    this.buffers.length = 0;
    this.length = 0;
  }

  /** Returns the byte at a position; `NaN` beyond the end. */
  byteAt(at: number): number {
    if (!(at >= 0 && at < this.length)) return Number.NaN;
    return this.buffers[Math.floor(at / BLOCK_BYTES)]?.[at % BLOCK_BYTES] ?? Number.NaN;
  }

  /** Returns a big-endian unsigned integer of `length` bytes; `NaN` if it reaches beyond the end. */
  uint(at: number, length: number): number {
    let value = 0;
    for (let n = 0; n < length; n++) value = value * 256 + this.byteAt(at + n);
    return value;
  }

  /** Returns a little-endian unsigned integer of `length` bytes; `NaN` if it reaches beyond the end. */
  uintLe(at: number, length: number): number {
    let value = 0;
    for (let n = length - 1; n >= 0; n--) value = value * 256 + this.byteAt(at + n);
    return value;
  }

  /** Returns `length` bytes as Latin-1; fewer at the end. */
  latin1(at: number, length: number): string {
    let text = '';
    for (let n = at; n < at + length && n < this.length; n++) text += String.fromCharCode(this.byteAt(n));
    return text;
  }

  /** Returns the position of the next such byte, or -1. */
  indexOf(byte: number, from: number): number {
    for (let n = Math.floor(from / BLOCK_BYTES); n < this.buffers.length; n++) {
      const start = n * BLOCK_BYTES;
      const found = this.buffers[n]?.indexOf(byte, Math.max(0, from - start)) ?? -1;
      if (found >= 0) return start + found < this.length ? start + found : -1;
    }
    return -1;
  }

  /** Returns the position of the first byte from `from` on that is not 0; the size if there is none. */
  skipZeros(from: number): number {
    let at = from;
    while (this.byteAt(at) === 0) at++;
    return Math.min(at, this.length);
  }

  /** Yields the bytes block by block. */
  *blocks(): Generator<Uint8Array> {
    for (const [n, block] of this.buffers.entries()) yield block.subarray(0, this.length - n * BLOCK_BYTES);
  }
}
