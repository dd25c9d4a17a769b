import { MAX_SLUG_LENGTH } from '../../catalog/index.ts';
import type { TenantDatabase } from '../../kernel/data/tenant-context.ts';
import type { Columns } from '../csv/columns.ts';
import { readCsv } from '../csv/csv.ts';
import { handleOf } from '../csv/groups.ts';
import { CHUNKS_PER_QUERY, readFile } from '../file.ts';
import { CHUNK_BYTES, type ImportRow } from '../tables.ts';

/** The most Handles that are held while a file is read; a file with as many lines of 64 bytes has no more. */
const MAX_HANDLES = 500_000;

/**
 * Finds the Handles whose lines are apart from each other in an import's file: the lines that are read at once are not
 * all of such a product's.
 */
export class ScatteredHandles {
  /** The number of statements run so far. */
  statements = 0;
  private readonly ctx: TenantDatabase;
  private readonly row: ImportRow;
  private readonly columns: Columns;
  /** The Handles in lower case; null if there are too many to know, undefined before the file is read. */
  private found: ReadonlySet<string> | null | undefined;

  constructor(ctx: TenantDatabase, row: ImportRow, columns: Columns) {
    this.ctx = ctx;
    this.row = row;
    this.columns = columns;
  }

  /**
   * Returns whether the lines of a Handle (in lower case) are apart. The first call reads the whole file. In one with
   * more than {@link MAX_HANDLES} Handles, those of any may be.
   */
  async has(handle: string): Promise<boolean> {
    if (this.found === undefined) this.found = await this.find();
    return this.found?.has(handle) ?? true;
  }

  private async find(): Promise<ReadonlySet<string> | null> {
    this.statements += Math.ceil(this.row.size / (CHUNK_BYTES * CHUNKS_PER_QUERY));
    const known = new Set<string>();
    const scattered = new Set<string>();
    let last: string | null = null;
    let isHeader = true;
    for await (const item of readCsv(readFile(this.ctx, this.row))) {
      const handle = item.kind === 'record' && !isHeader ? handleOf(item.cells, this.columns) : null;
      isHeader = false;
      // A longer one is no product's.
      if (handle === null || handle === last || handle.length > MAX_SLUG_LENGTH) continue;
      if (known.has(handle)) scattered.add(handle);
      else if (known.size === MAX_HANDLES) return null;
      known.add(handle);
      last = handle;
    }
    return scattered;
  }
}
