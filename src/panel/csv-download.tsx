import { respondParts } from '../kernel/http/text-stream.ts';
import type { Outcome, PageRequest } from '../web/index.ts';

const CSV = 'text/csv';
/** The entries that are read from the API at once. */
const PAGE_SIZE = 100;
/** The most entries that a file has. */
export const MAX_EXPORTED = 10_000;
/** The most pages of a file: a Worker's request may run 1,000 statements. */
export const MAX_PAGES = MAX_EXPORTED / PAGE_SIZE;

interface ExportLinkProps {
  readonly request: PageRequest;
  /** The address of the file. */
  readonly href: string;
  /** How many entries the list has. */
  readonly total: number;
  /** The plural of an entry: "orders". */
  readonly things: string;
}

/** The link to a list as a CSV file; none for an empty list, or for a role that may not take the file. */
export const ExportLink = ({ request, href, total, things }: ExportLinkProps) =>
  total === 0 || !request.may('get', href.replace(/\?.*/, '')) ? null : (
    <p>
      <a href={href} download>
        Export {total > MAX_EXPORTED ? `the first ${MAX_EXPORTED} ${things}` : `these ${things}`} as CSV
      </a>
    </p>
  );

/** Sends the entries of a list as a CSV file, at most 10,000 of them. */
export function downloadList(
  request: PageRequest,
  {
    path,
    query,
    filename,
  }: { readonly path: string; readonly query: URLSearchParams; readonly filename: string },
): Promise<Outcome> {
  const paged = new URLSearchParams(query);
  paged.set('limit', String(PAGE_SIZE));
  return downloadCsv(request, { path: `${path}?${paged}`, filename, maxPages: MAX_PAGES });
}

/** A list of the API that is downloaded as one file. */
interface Download {
  /** The path of the first page. */
  readonly path: string;
  readonly filename: string;
  /** The most pages that a file has. */
  readonly maxPages: number;
}

/** Sends the pages of a list as one CSV file, read and sent page by page. */
export async function downloadCsv(
  request: PageRequest,
  { path, filename, maxPages }: Download,
): Promise<Outcome> {
  const first = await request.download(path, CSV);
  if (!first.ok) return first;
  const headers = {
    'Content-Type': first.value.headers.get('content-type') ?? CSV,
    'Content-Disposition': `attachment; filename="${filename}"`,
  };
  return { file: respondParts(request.c, pagesOf(request, first.value, maxPages), headers) };
}

/** Begins a file that people open: by it, Excel reads UTF-8 and no code page of the system (Unicode 23.8). */
const BYTE_ORDER_MARK = '\ufeff';

/** Yields the pages of the file; only the first keeps its head. */
async function* pagesOf(
  request: PageRequest,
  first: Response,
  maxPages: number,
): AsyncGenerator<string, void> {
  yield BYTE_ORDER_MARK + (await first.text());
  let next = nextOf(first);
  for (let read = 1; next !== null && read < maxPages; read++) {
    const page = await request.download(next, CSV);
    if (!page.ok) throw new Error(`Page of a file: ${page.formError.code}`);
    const text = await page.value.text();
    yield text.slice(text.indexOf('\r\n') + 2);
    next = nextOf(page.value);
  }
}

/** Returns the path of the next page (RFC 8288), or null at the end. */
function nextOf(page: Response): string | null {
  const [, url] = /^<([^>]+)>; rel="next"$/.exec(page.headers.get('link') ?? '') ?? [];
  if (url === undefined) return null;
  const { pathname, search } = new URL(url);
  return pathname + search;
}
