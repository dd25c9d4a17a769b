import { expect } from 'vitest';
import { admin, type World } from '../support/world.ts';

/** A record of an export. */
export interface ExportedRecord {
  readonly table: string;
  readonly row: Record<string, string | number | null>;
}

/** A tenant's export: the header, and the records of all pages. */
export interface Exported {
  readonly header: object;
  readonly records: ExportedRecord[];
}

export const suspend = async ({ slug }: Pick<World, 'slug'>): Promise<void> => {
  expect((await admin('PATCH', `/tenants/${slug}`, { status: 'suspended' })).status).toBe(200);
};

export const activate = async ({ slug }: Pick<World, 'slug'>): Promise<void> => {
  expect((await admin('PATCH', `/tenants/${slug}`, { status: 'active' })).status).toBe(200);
};

/** Returns the header that this deployment exports and takes. */
export const headerNow = async (slug: string): Promise<object> =>
  (await admin('GET', `/tenants/${slug}/export`)).body.header;

export async function sha256Of(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return Buffer.from(await crypto.subtle.digest('SHA-256', bytes)).toString('hex');
}

/** Exports a tenant, page by page. */
export async function exportAll(slug: string): Promise<Exported> {
  const records: ExportedRecord[] = [];
  for (let cursor: string | null = null, pages = 0; pages < 1_000; pages++) {
    const { status, body } = await admin(
      'GET',
      `/tenants/${slug}/export${cursor ? `?cursor=${cursor}` : ''}`,
    );
    expect(status, JSON.stringify(body)).toBe(200);
    records.push(...body.data);
    cursor = body.meta.next_cursor;
    if (cursor === null) return { header: body.header, records };
  }
  throw new Error('The export has no end');
}

/** Imports records a few at a time. */
export async function importAll(slug: string, { header, records }: Exported): Promise<void> {
  for (let at = 0; at < records.length; at += 50) {
    const body = { header, records: records.slice(at, at + 50) };
    const answer = await admin('PUT', `/tenants/${slug}/import`, body);
    expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  }
}
