const [LF, CR, QUOTE] = [10, 13, 34];

/**
 * Counts the rows of a CSV during the upload, as the total for progress: line breaks outside quotes, without
 * blank lines. Exact for a valid file, approximate for a malformed one.
 */
export class RowCounter {
  #rows = 0;
  #quoted = false;
  #blank = true;

  /** Counts the next bytes of the file. */
  add(bytes: Uint8Array): void {
    for (const byte of bytes) {
      if (byte === QUOTE) this.#quoted = !this.#quoted;
      const ends = !this.#quoted && (byte === LF || byte === CR);
      if (ends && !this.#blank) this.#rows++;
      this.#blank = ends;
    }
  }

  /** The number of rows below the header. */
  get rows(): number {
    return Math.max(0, this.#rows + (this.#blank ? 0 : 1) - 1);
  }
}
