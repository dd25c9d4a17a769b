interface RowSpace {
  /** The most rows of a page. */
  readonly most: number;
  /** The bytes of HTML that the rows of a page may take. */
  readonly bytes: number;
  /** The bytes of a row without its texts. */
  readonly each: number;
}

/** Returns how many rows a page has, of which these are all the texts: fewer where they are long, and at least one. */
export function rowsFitting(texts: readonly string[], { most, bytes, each }: RowSpace): number {
  const longest = Math.max(0, ...texts.map(htmlBytes));
  return Math.min(most, Math.max(1, Math.floor(bytes / (each + longest))));
}

/** Returns the bytes that a text takes in HTML, at most. */
export const htmlBytes = (text: string): number =>
  new TextEncoder().encode(text.replaceAll(/["&'<>]/g, '&quot;')).length;
