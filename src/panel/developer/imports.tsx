import { z } from 'zod';
import { Import, ImportList, ImportStarted, MAX_FILE_BYTES } from '../../imports/index.ts';
import { UPLOAD_DEADLINE_MS } from '../../kernel/input/body.ts';
import {
  clip,
  Facts,
  Field,
  type Filled,
  Form,
  type FormError,
  form,
  getPage,
  type Outcome,
  onceOf,
  type Page,
  type PageRequest,
  Part,
  pageAsked,
  pageAt,
  pageParam,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { countOf } from '../count-of.ts';
import { downloadCsv } from '../csv-download.tsx';

const root = '/developer/imports';
/** Imports on one page, and errors of one import on one page. */
const PAGE_SIZE = 10;
const ERRORS_PAGE_SIZE = 25;

type Item = z.output<typeof ImportList>['data'][number];

const importCells = ({
  id,
  status,
  dry_run,
  created_at,
  rows,
  created,
  updated,
  unchanged,
  failed,
}: Item) => [
  <a href={`${root}/${id}`}>
    <When at={created_at} />
  </a>,
  <>
    <State is={status} /> {dry_run && <State is="check_only" />}
  </>,
  rows,
  created,
  updated,
  unchanged,
  failed > 0 ? <b class="error">{failed}</b> : 0,
];

interface OptionProps {
  readonly f: Filled;
  readonly name: string;
  readonly value: string;
  readonly label: string;
}

/** A checkbox of the upload, which stays as it was sent. */
const Option = ({ f, name, value, label }: OptionProps) => (
  <p class="field">
    <label class="check">
      <input type="checkbox" name={name} value={value} checked={f.request.sent[name] !== undefined} />
      <span>{label}</span>
    </label>
  </p>
);

const UploadForm = ({ f }: { f: Filled }) => (
  <Form request={f.request} action={root} submit="Upload and import" file>
    <p class="lead">
      Upload a product CSV in Shopify's export format. It is imported in the background. Repeating an import
      is safe: products that already match are not changed.
    </p>
    <Field
      f={f}
      name="file"
      label="CSV file"
      type="file"
      hint="At most 32 MiB"
      required
      attributes={{ accept: '.csv,text/csv' }}
    />
    <Option f={f} name="stock" value="set" label="Also set the stock of existing products" />
    <Option
      f={f}
      name="dry_run"
      value="true"
      label="Only check the file: say what would change, and write nothing"
    />
  </Form>
);

const listPage = async (request: PageRequest, formError: FormError | null) => {
  const page = pageParam(request);
  const answer = await request.api({
    path: `/v1/imports?limit=${PAGE_SIZE}&page=${page}`,
    answer: ImportList,
  });
  if (!answer.ok) return answer;
  const { data, meta } = answer.value;
  const body = (
    <>
      <UploadForm f={{ request, formError }} />
      <h2>Past imports</h2>
      <Table
        label="Past imports"
        head={['Started', 'Status', 'Lines', 'Created', 'Updated', 'Unchanged', 'Failed']}
        figures={[2, 3, 4, 5, 6]}
        rows={data.map(importCells)}
        empty={<p>No imports yet. Imports and their errors are listed here for 30 days.</p>}
        pages={{ meta: meta, href: (to) => `${root}?page=${to}` }}
      />
    </>
  );
  return { title: 'Imports', body };
};

const Upload = z.object({
  file: z
    .instanceof(File, { message: 'must be a file' })
    .refine((file) => file.size > 0, 'must not be empty'),
  stock: z.literal('set').optional(),
  dry_run: z.literal('true').optional(),
});

async function upload(
  request: PageRequest,
  { file, stock, dry_run }: z.output<typeof Upload>,
): Promise<Outcome> {
  const started = await request.api({
    method: 'POST',
    path: `/v1/imports/products?${new URLSearchParams({ ...(stock && { stock }), ...(dry_run && { dry_run }) })}`,
    file,
    mediaType: 'text/csv',
    once: onceOf(request),
    answer: ImportStarted,
  });
  return started.ok ? { to: `${root}/${started.value.id}` } : started;
}

/** The lines that failed, in pages. */
const Errors = ({ of, page, here }: { of: z.output<typeof Import>; page: number; here: string }) => {
  const { shown, meta } = pageAt(of.errors, page, ERRORS_PAGE_SIZE);
  return (
    <>
      <h2>Errors</h2>
      {of.failed > of.errors.length && (
        <p>
          The first {of.errors.length} of {of.failed} failed lines are listed. The file has up to 10,000.
        </p>
      )}
      <p>
        Lines are counted as in a text editor: a cell with line breaks takes several lines, but one row of a
        spreadsheet.
      </p>
      <p class="actions">
        <a class="button secondary" href={`${here}/errors`} download>
          Download the errors as CSV
        </a>
      </p>
      <Table
        label="Failed lines"
        head={['Line', 'SKU', 'Column', 'Error']}
        figures={[0]}
        rows={shown.map(({ line, sku, field, message }) => [
          line,
          clip(sku ?? '', 24),
          clip(field ?? '', 40),
          clip(message, 200),
        ])}
        pages={{ meta, href: (to) => `${here}?page=${to}` }}
      />
    </>
  );
};

/** The import's status: lines processed and their results. */
const ImportStatus = ({ of }: { of: z.output<typeof Import> }) => (
  <>
    {of.dry_run && (
      <p class="lead">
        The file is only checked. Nothing is written: the numbers say what an import would do.
      </p>
    )}
    <p role="status">
      <State is={of.status} /> {of.processed} of {countOf(of.rows, 'line')}
    </p>
    <progress
      max={Math.max(of.rows, 1)}
      value={of.status === 'done' ? Math.max(of.rows, 1) : of.processed}
      aria-label="Lines processed"
    />
    <Facts
      of={{
        Created: of.created,
        Updated: of.updated,
        Unchanged: of.unchanged,
        'Failed lines': of.failed,
        Started: <When at={of.created_at} />,
        'Last update': <When at={of.updated_at} />,
      }}
    />
  </>
);

const progressPage = async (request: PageRequest) => {
  const id = encodeURIComponent(request.param('id'));
  const answer = await request.api({ path: `/v1/imports/${id}`, answer: Import });
  if (!answer.ok) return answer;
  const { status, errors } = answer.value;
  const live = status === 'queued' || status === 'running';
  const body = (
    <section id="progress" data-live={live ? 'yes' : undefined} aria-label="Progress">
      <Part name="progress" />
      <ImportStatus of={answer.value} />
      {errors.length > 0 && <Errors of={answer.value} page={pageAsked(request)} here={`${root}/${id}`} />}
      {!live && (
        <p>
          <a class="button" href="/developer/products">
            View products
          </a>
        </p>
      )}
    </section>
  );
  const trail = [[root, 'Imports']] as const;
  return { title: 'Import', trail, body, ...(live ? { refresh: 2 } : {}) };
};

/** Pages of 1,000 errors that the file has at most: an import keeps no more. */
const MAX_ERROR_PAGES = 10;

/** Sends an import's errors as a CSV file. */
const downloadErrors = (request: PageRequest): Promise<Outcome> =>
  downloadCsv(request, {
    path: `/v1/imports/${encodeURIComponent(request.param('id'))}/errors`,
    filename: 'import-errors.csv',
    maxPages: MAX_ERROR_PAGES,
  });

const at = (path: string) => ({ path: `/developer/imports${path}`, audience: 'developer' }) as const;

/** Limits of an upload: the file, plus 64 KiB for the multipart framing and the other fields. */
const UPLOAD_LIMITS = { maxBytes: MAX_FILE_BYTES + 64 * 1024, deadlineMs: UPLOAD_DEADLINE_MS };

/** The pages that upload a CSV and show an import's progress. */
export const importPages: readonly Page[] = [
  getPage(at(''), listPage),
  form({ ...at(''), form: Upload, limits: UPLOAD_LIMITS }, listPage, upload),
  getPage(at('/:id'), progressPage),
  getPage(at('/:id/errors'), downloadErrors),
];
