import { createReadStream, existsSync, openAsBlob } from 'node:fs';
import { join } from 'node:path';
import { type Client, client } from '../dev/client.ts';

/** The file with the header and a record a line, and the folder with the images by hash, of an exported tenant. */
export const RECORDS = 'records.jsonl';
export const MEDIA = 'media';

/** The most records, and about the most characters, of one import call. */
const MAX_RECORDS = 100;
const MAX_CHARS = 1_000_000;

/** One row of a tenant, or one cart. */
export interface TransferRecord {
  readonly table: string;
  readonly row: Readonly<Record<string, string | number | null>>;
}

/** A deployment, and the tenant that is moved. */
export interface Place {
  /** The base URL, without a slash at its end. */
  readonly base: string;
  readonly slug: string;
  /** The super-admin's token. */
  readonly token: string;
}

/** What was moved. */
export interface Moved {
  readonly records: number;
  readonly images: number;
}

/** Returns the path of a tenant's endpoints. */
export const pathOf = ({ slug }: Place) => `/admin/v1/tenants/${encodeURIComponent(slug)}`;

/** Returns the hashes of the images that records say are stored. */
export const imagesOf = (records: readonly TransferRecord[]): string[] =>
  records.flatMap(({ table, row }) => (table === 'media' && row.state === 'stored' ? String(row.hash) : []));

/** Yields the lines of a file. Node's readline also splits at U+2028, which JSON allows within a string. */
export async function* linesOf(file: string): AsyncGenerator<string> {
  let rest = '';
  for await (const chunk of createReadStream(file, 'utf8')) {
    const lines = (rest + chunk).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
  if (rest) yield rest;
}

/** Says that a file isn't what an export has written: lines are missing, as in a copy that broke off. */
class NoExport extends Error {
  constructor(file: string, line: number) {
    super(
      `${file} is no whole export: line ${line} is missing or broken. Copy it, or export the tenant, again.`,
    );
  }
}

/**
 * Yields the records of a file in groups that fit a call. Throws {@link NoExport} at a line that is no JSON, and for a
 * file without a record: an export has the tenant's own at least.
 */
async function* groups(file: string): AsyncGenerator<{ header: object; records: TransferRecord[] }> {
  let header: object | null = null;
  let records: TransferRecord[] = [];
  let [chars, read] = [0, 0];
  for await (const line of linesOf(file)) {
    read += 1;
    const value = parsed(line);
    if (value === null) throw new NoExport(file, read);
    if (!header) {
      header = value;
      continue;
    }
    if (records.length > 0 && (records.length === MAX_RECORDS || chars + line.length > MAX_CHARS)) {
      yield { header, records };
      [records, chars] = [[], 0];
    }
    // The service checks records, and refuses what is none.
    records.push(value as TransferRecord);
    chars += line.length;
  }
  if (!header || records.length === 0) throw new NoExport(file, read + 1);
  yield { header, records };
}

/** Returns the object of a line of JSON, or `null` if it is none. */
function parsed(line: string): object | null {
  try {
    return JSON.parse(line);
  } catch {
    return null;
  }
}

/** An import's answer. */
interface Imported {
  readonly written: number;
  readonly unreadable_keys: readonly string[];
}

/** Says that secrets can't be read in the new deployment. */
class OtherKeys extends Error {
  constructor(versions: readonly string[]) {
    super(
      `This deployment lacks the master keys ${versions.map((version) => `MASTER_KEY_V${version}`).join(', ')} of the export: payment keys, webhook secrets and signing keys could not be read, tokens of applications, carts and feeds and the passwords of customers would be refused. Set the keys as secrets, or pass --other-keys, set and rotate those anew, and have customers reset their passwords.`,
    );
  }
}

/**
 * Imports the export in a folder into a deployment: records in their order, then images, then has the search index
 * rebuilt. The tenant stays suspended. Stops before the first row with {@link OtherKeys} unless `otherKeys`. Can be
 * repeated after a failure.
 */
export async function importTenant(place: Place, folder: string, otherKeys: boolean): Promise<Moved> {
  const call = client(place.base, place.token);
  const path = pathOf(place);
  const file = join(folder, RECORDS);
  if (!existsSync(file))
    throw new Error(`${file} is missing: npm run export writes it once all is exported.`);
  const images = new Set<string>();
  let records = 0;
  for await (const group of groups(file)) {
    if (records === 0) {
      refuseOther(place, file, group.records);
      await checkKeys(call, path, { group, otherKeys });
    }
    records += (await call<Imported>('PUT', `${path}/import`, group)).written;
    for (const hash of imagesOf(group.records)) images.add(hash);
  }
  for (const hash of images) await upload(call, path, { hash, file: join(folder, MEDIA, hash) });
  await call('POST', `${path}/search-rebuilds`);
  return { records, images: images.size };
}

/** Throws if the records of a file are another tenant's: a tenant keeps its slug when it moves. */
function refuseOther({ slug }: Place, file: string, records: readonly TransferRecord[]): void {
  const own = records.find(({ table }) => table === 'tenants')?.row.slug ?? slug;
  if (own !== slug) throw new Error(`${file} has the tenant ${own}, not ${slug}: pass --tenant ${own}.`);
}

/** Creates the tenant from its own row alone. The response names the missing keys. Safe to repeat. */
async function checkKeys(
  call: Client,
  path: string,
  {
    group: { header, records },
    otherKeys,
  }: { readonly group: { header: object; records: TransferRecord[] }; readonly otherKeys: boolean },
): Promise<void> {
  const { unreadable_keys } = await call<Imported>('PUT', `${path}/import`, {
    header,
    records: records.slice(0, 1),
  });
  if (unreadable_keys.length > 0 && !otherKeys) throw new OtherKeys(unreadable_keys);
}

/** The first bytes of each image type (the container's name at byte 4 or 8, where the type has one). */
const SIGNATURES: readonly (readonly [type: string, pattern: RegExp])[] = [
  ['image/jpeg', /^\xff\xd8/],
  ['image/png', /^\x89PNG/],
  ['image/gif', /^GIF8/],
  ['image/webp', /^RIFF.{4}WEBP/s],
  ['image/avif', /^.{4}ftyp/s],
];

async function upload(
  call: Client,
  path: string,
  { hash, file }: { readonly hash: string; readonly file: string },
): Promise<void> {
  // An export that broke off has all records and only some of the images.
  if (!existsSync(file))
    throw new Error(`The image ${hash} is missing in the folder: export the tenant again.`);
  const blob = await openAsBlob(file);
  const start = Buffer.from(await blob.slice(0, 12).arrayBuffer()).toString('latin1');
  const type = SIGNATURES.find(([, pattern]) => pattern.test(start))?.[0] ?? 'application/octet-stream';
  await call('PUT', `${path}/import/media/${hash}`, await openAsBlob(file, { type }));
}
