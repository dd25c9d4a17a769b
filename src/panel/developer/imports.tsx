import { z } from 'zod';
import { ImportList, ImportStarted, MAX_FILE_BYTES } from '../../imports/index.ts';
import { UPLOAD_DEADLINE_MS } from '../../kernel/input/body.ts';
import {
  Field,
  type Filled,
  Form,
  type FormError,
  formPages,
  getPage,
  type Outcome,
  type Page,
  type PageRequest,
  pageParam,
  postOnce,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { downloadCsv } from '../csv-download.tsx';
import { importProgressPages } from './import-progress.tsx';

const root = '/developer/imports';
const PAGE_SIZE = 10;

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
        pages={{ meta, href: (to) => `${root}?page=${to}` }}
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
  const started = await postOnce(request, {
    path: `/v1/imports/products?${new URLSearchParams({ ...(stock && { stock }), ...(dry_run && { dry_run }) })}`,
    file,
    mediaType: 'text/csv',
    answer: ImportStarted,
  });
  return started.ok ? { to: `${root}/${started.value.id}` } : started;
}

/** Pages of 1,000 errors that the file has at most: an import keeps no more. */
const MAX_ERROR_PAGES = 10;

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
  ...formPages({ ...at(''), form: Upload, limits: UPLOAD_LIMITS }, listPage, upload),
  ...importProgressPages,
  getPage(at('/:id/errors'), downloadErrors),
];
