import { type PageRequest, Pages, pageAsked, pageOf } from '../../../../web/index.ts';

/** Rows of a long list on one page of the editor. */
const ROWS_ON_PAGE = 6;

/** The rows of a list that a form edits. */
export interface Slice {
  readonly from: number;
  readonly count: number;
  readonly page: number;
}

/** Returns the slice of a list that the request shows, or that its form was shown with. */
export function sliceFor(request: PageRequest, rowsOnPage = ROWS_ON_PAGE): Slice {
  const [from, count] = (request.sent._slice?.[0] ?? '').split(' ').map(Number);
  const page = Number(request.sent._page?.[0]) || pageAsked(request);
  const isSent = Number.isSafeInteger(from) && Number.isSafeInteger(count);
  return isSent
    ? { from: from ?? 0, count: count ?? 0, page }
    : { from: (page - 1) * rowsOnPage, count: rowsOnPage, page };
}

/** Returns the rows of a slice. */
export const sliced = <Row,>(list: readonly Row[], { from, count }: Slice): Row[] =>
  list.slice(from, from + count);

/** Returns the list with other rows in place of a slice's. */
export const withSlice = <Row,>(list: readonly Row[], { from, count }: Slice, rows: readonly Row[]): Row[] =>
  list.toSpliced(from, count, ...rows);

/** The hidden fields by which a form names its slice. */
export const SliceFields = ({ slice: { from, count, page } }: { slice: Slice }) => (
  <>
    <input type="hidden" name="_slice" value={`${from} ${count}`} />
    <input type="hidden" name="_page" value={String(page)} />
  </>
);

/** The links to the other pages of a list of `total` rows. */
export const SlicePages = ({
  total,
  slice,
  here,
  rowsOnPage = ROWS_ON_PAGE,
}: {
  total: number;
  slice: Slice;
  here: string;
  rowsOnPage?: number | undefined;
}) => {
  const { meta } = pageOf(Array.from({ length: total }), slice.page, rowsOnPage);
  return meta.total_pages > 1 ? <Pages meta={meta} href={(to) => `${here}?page=${to}`} /> : null;
};

/** Returns an error's path with the row's number in the slice: `images.17.alt` as `images.5.alt`. */
export function fieldInSlice(path: string, list: string, { from }: Slice): string {
  const [, row, rest = ''] = new RegExp(`^${list}\\.(\\d+)(.*)$`).exec(path) ?? [];
  const shown = Number(row) - from;
  return row !== undefined && shown >= 0 ? `${list}.${shown}${rest}` : path;
}
