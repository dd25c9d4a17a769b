/** The most bytes of uploads that one isolate holds at once; an isolate has 128 MiB for everything. */
const MAX_HELD_BYTES = 64 * 1024 * 1024;

let held = 0;

/** Bytes of an upload that this isolate holds in memory. Whoever takes some must release them. */
export class HeldBytes {
  #bytes = 0;

  /** Counts bytes before they are held. Returns false, and counts none, if the isolate would hold more than `most`. */
  take(bytes: number, most = MAX_HELD_BYTES): boolean {
    if (held + bytes > most) return false;
    held += bytes;
    this.#bytes += bytes;
    return true;
  }

  /** Counts that nothing of the upload is held any more. */
  release(): void {
    held -= this.#bytes;
    this.#bytes = 0;
  }
}
