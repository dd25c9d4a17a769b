import { createHash } from 'node:crypto';
import { createWriteStream, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type Client, client, fetchPatiently } from '../dev/client.ts';
import {
  imagesOf,
  linesOf,
  MEDIA,
  type Moved,
  type Place,
  pathOf,
  RECORDS,
  type TransferRecord,
} from './tenant.ts';

/** The ending of the name of a file that is still written. */
const UNFINISHED = '.part';

/** How often a suspended tenant is read until two reads agree: its orders expire and its holds end meanwhile. */
const MAX_READS = 10;
/** Tables that go on changing while nothing is sold: refused calls and deliveries, and sales as days pass. */
const UNCOMPARED: ReadonlySet<string> = new Set(['call_hours', 'call_days', 'webhooks', 'sales_rankings']);

interface Page {
  readonly header: object;
  readonly data: readonly TransferRecord[];
  readonly meta: { readonly next_cursor: string | null };
}

/** What one read of a tenant's records found. */
interface Read {
  readonly records: number;
  readonly images: ReadonlySet<string>;
  readonly isSuspended: boolean;
}

/** Yields the header of an export, then its records, page by page. */
async function* lines(call: Client, place: Place, seen: (record: TransferRecord) => void) {
  let begun = false;
  for (let cursor: string | null = ''; cursor !== null; ) {
    const query: string = cursor === '' ? '' : `?cursor=${cursor}`;
    const page: Page = await call<Page>('GET', `${pathOf(place)}/export${query}`);
    if (!begun) yield `${JSON.stringify(page.header)}\n`;
    begun = true;
    for (const record of page.data) {
      seen(record);
      yield `${JSON.stringify(record)}\n`;
    }
    cursor = page.meta.next_cursor;
  }
}

/** Reads a tenant's records into a file. Holds one page, but for the hashes of the images. */
async function readInto(file: string, call: Client, place: Place): Promise<Read> {
  const images = new Set<string>();
  let [records, isSuspended] = [0, false];
  const seen = (record: TransferRecord) => {
    records += 1;
    if (record.table === 'tenants') isSuspended = record.row.status === 'suspended';
    for (const hash of imagesOf([record])) images.add(hash);
  };
  await pipeline(Readable.from(lines(call, place, seen)), createWriteStream(file));
  return { records, images, isSuspended };
}

/** Yields the lines of an export's file that two reads have to agree on. */
async function* comparedLines(file: string) {
  for await (const line of linesOf(file)) {
    // Lines of this program's own: the header, which has no table, or a record.
    if (!UNCOMPARED.has((JSON.parse(line) as Partial<TransferRecord>).table ?? '')) yield line;
  }
}

/**
 * Returns whether an earlier read has each record of a later one, in the same order. It may have more: rows are deleted
 * by their age at any time.
 */
async function agree(earlier: string, later: string): Promise<boolean> {
  const known = comparedLines(earlier);
  for await (const line of comparedLines(later)) {
    let next = await known.next();
    while (!next.done && next.value !== line) next = await known.next();
    if (next.done) return false;
  }
  return true;
}

/**
 * Reads a tenant's records into a file. A suspended tenant is read until two reads agree: then no row has changed between
 * the end of the first and the begin of the second, and the file is the tenant at one moment. An active one is read once.
 */
async function readAtOneMoment(file: string, call: Client, place: Place): Promise<Read> {
  const earlier = `${file}.earlier`;
  try {
    let last = await readInto(file, call, place);
    for (let reads = 1; last.isSuspended; reads++) {
      if (reads === MAX_READS)
        throw new Error(`${place.slug} changes while it is read: export it again later.`);
      renameSync(file, earlier);
      last = await readInto(file, call, place);
      if (await agree(earlier, file)) break;
    }
    return last;
  } finally {
    rmSync(earlier, { force: true });
  }
}

/**
 * Writes a tenant's export to a folder: its records, then each image. Equal data gives equal files. Each image gets its
 * name when it is whole, and the records when all is there: an export that broke off is none, and leaves an earlier one in
 * the folder as it was.
 */
export async function exportTenant(place: Place, folder: string): Promise<Moved> {
  const call = client(place.base, place.token);
  mkdirSync(join(folder, MEDIA), { recursive: true });
  const unfinished = join(folder, `${RECORDS}${UNFINISHED}`);
  const { records, images } = await readAtOneMoment(unfinished, call, place);
  for (const hash of images) await download(place, hash, join(folder, MEDIA, hash));
  renameSync(unfinished, join(folder, RECORDS));
  return { records, images: images.size };
}

async function download({ base, slug }: Place, hash: string, file: string): Promise<void> {
  const response = await fetchPatiently(`${base}/media/${encodeURIComponent(slug)}/${hash}`);
  if (!response.ok || !response.body) throw new Error(`The image ${hash} got ${response.status}.`);
  const digest = createHash('sha256');
  await pipeline(
    Readable.fromWeb(response.body),
    async function* (chunks) {
      for await (const chunk of chunks) {
        digest.update(chunk);
        yield chunk;
      }
    },
    createWriteStream(`${file}${UNFINISHED}`),
  );
  if (digest.digest('hex') !== hash) throw new Error(`The image ${hash} has other bytes.`);
  renameSync(`${file}${UNFINISHED}`, file);
}
