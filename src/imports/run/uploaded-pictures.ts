import type { TenantContext } from '../../kernel/data/tenant-context.ts';
import { refuseLocalUrls } from '../../kernel/text/local-url.ts';
import { imageUrl, type MediaPlace, uploadedImages } from '../../media/index.ts';
import type { Columns } from '../csv/columns.ts';
import type { Pictures, Row } from '../csv/csv-row.ts';

/** No id of a picture is longer; a cell may have a million characters. */
const MAX_ID_LENGTH = 64;

/**
 * Returns the URLs of the uploaded pictures that the picture columns of some lines name, by cell: by id
 * (`med_…`), or by a URL of a service on the developer's own machine where such URLs are allowed.
 */
export async function uploadedPictures(
  ctx: TenantContext & MediaPlace,
  rows: readonly Row[],
  columns: Columns,
): Promise<Pictures> {
  const places = [columns.get('image'), columns.get('variantImage')].filter((place) => place !== undefined);
  const cells = new Set(rows.flatMap((row) => places.map((place) => row.cells[place]?.trim() ?? '')));
  const ids = [...cells].filter((cell) => cell.startsWith('med_') && cell.length <= MAX_ID_LENGTH);
  const local = [...cells].flatMap((cell) => {
    const url = cell.startsWith('http:') ? imageUrl.safeParse(cell) : null;
    return url?.success && refuseLocalUrls(ctx.env, [['', url.data]]).ok ? [[cell, url.data] as const] : [];
  });
  return new Map([...local, ...(ids.length > 0 ? await uploadedImages(ctx, ids) : [])]);
}
