import { z } from 'zod';
import { Import } from '../../imports/index.ts';
import {
  clip,
  Facts,
  Form,
  form,
  getPage,
  NextLink,
  type Outcome,
  type Page,
  type PageRequest,
  Part,
  pageAsked,
  pageAt,
  postOnce,
  State,
  Table,
  When,
} from '../../web/index.ts';
import { countOf } from '../count-of.ts';

const root = '/developer/imports';
const ERRORS_PAGE_SIZE = 25;

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
    {of.status === 'cancelled' && (
      <p class="lead">
        The import was cancelled. What it had written stays. The rest of the file is not read.
      </p>
    )}
    <p>
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
  const cancel = `${root}/${id}/cancel`;
  const body = (
    <>
      <section id="progress" data-live={live ? 'yes' : undefined} aria-label="Progress">
        <Part name="progress" />
        <ImportStatus of={answer.value} />
        {errors.length > 0 && <Errors of={answer.value} page={pageAsked(request)} here={`${root}/${id}`} />}
        {!live && <NextLink href="/developer/products" label="View products" />}
      </section>
      {live && request.may('post', cancel) && (
        <Form request={request} action={cancel} submit="Cancel the import" quiet />
      )}
    </>
  );
  const trail = [[root, 'Imports']] as const;
  return { title: 'Import', trail, body, ...(live ? { refresh: 2 } : {}) };
};

async function cancelImport(request: PageRequest): Promise<Outcome> {
  const id = encodeURIComponent(request.param('id'));
  const path = `/v1/imports/${id}/cancel`;
  const cancelled = await postOnce(request, { path, answer: Import });
  return cancelled.ok ? { to: `${root}/${id}` } : cancelled;
}

const at = (path: string) => ({ path: `/developer/imports/:id${path}`, audience: 'developer' }) as const;

/** The page of an import's progress, and the form that cancels it. */
export const importProgressPages: readonly Page[] = [
  getPage(at(''), progressPage),
  // A failed cancellation has no form to return to: its error is the page. After an ended session the import is.
  form(
    { ...at('/cancel'), form: z.object({}) },
    async (request, formError) =>
      formError ? { formError } : { to: `${root}/${encodeURIComponent(request.param('id'))}` },
    cancelImport,
  ),
];
